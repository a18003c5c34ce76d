// SPDX-License-Identifier: GPL-3.0-or-later
// Ten first replies about the seed of gemm-fp32-cpu whose patches apply: five programs do not build, five are wrong.
// Each goes back with what compiler and checks found, in the same conversation, and is answered by a second reply that
// was written by somebody who saw that prompt alone. The engine, the compiler and the checks are the real ones; models
// are a server that answers from the folder faulty_replies. TILEWRIGHT_KEEP_PROMPTS=FOLDER keeps what the second
// request of each conversation sends, NN.prompt.md. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead
// to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/model/requests/repair_turns.h"
#include "tests/engine/model_sessions.h"
#endif

#include "tests/test_program.h"

#include <QDir>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

constexpr int conversations = 10, unbuilt = 5; ///< the first five do not build
constexpr int mendedAtLeast = 8;
/// Of one conversation: a program is built, checked and timed twice. It only ends a test in which something hangs.
constexpr int conversationMs = 900'000;

QByteArray fileOf(int number, const char* ending)
{
    QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests/engine/faulty_replies/%1.%2.md")
                   .arg(number, 2, 10, QLatin1Char('0'))
                   .arg(QLatin1String(ending)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string textOf(const nlohmann::json& content)
{
    if (content.is_string())
        return content.get<std::string>();
    std::string text;
    for (const nlohmann::json& part : content)
        text += part.value("text", "");
    return text;
}

/// All that the model sees: the system text and every turn.
std::string wholeText(const SeenRequest& request)
{
    std::string text;
    const auto add = [&text](const std::string& role, const nlohmann::json& content) {
        text += (text.empty() ? "" : "\n") + ("<!-- " + role + " -->\n\n") + textOf(content) + "\n";
    };
    if (request.json.contains("system"))
        add("system", request.json["system"]);
    for (const nlohmann::json& message : request.json["messages"])
        add(message["role"], message["content"]);
    return text;
}

void keepPrompt(int number, const std::string& text)
{
    const QString folder = qEnvironmentVariable("TILEWRIGHT_KEEP_PROMPTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    QFile file(folder + u"/%1.prompt.md"_s.arg(number, 2, 10, QLatin1Char('0')));
    if (file.open(QIODevice::WriteOnly))
        file.write(QByteArray::fromStdString(text));
}

/// The candidate of the answer to a model request.
const Candidate* answerTo(const RunState& run, std::int64_t request)
{
    for (const Proposal& proposal : run.proposals)
        if (proposal.modelRequest.value == request)
            if (const Candidate* made = candidateOf(run, proposal))
                return made;
    return nullptr;
}

} // namespace

class TestFaultyReplies : public QObject, ModelSessions
{
    Q_OBJECT

    FakeServer m_server;
    int m_conversation = 0;
    std::vector<std::string> m_asked; ///< what was sent in this conversation
    QString m_begun; ///< a session in which the seed is measured
    int m_mended = 0;

    std::unique_ptr<EngineDriver> driverOf(const QString& path)
    {
        auto driver = std::make_unique<EngineDriver>(QStringList(), path);
        driver->engine.setNodeCommand({QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node")});
        return driver;
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        qputenv("XDG_CACHE_HOME", m_folder.filePath(u"cache"_s).toUtf8());
        QVERIFY(m_server.start());
        m_server.setHandler([this](const SeenRequest& request) {
            m_asked.push_back(wholeText(request));
            const bool isFirst = m_asked.size() == 1;
            const QByteArray reply = m_asked.size() > 2 ? "" : fileOf(m_conversation, isFirst ? "first" : "second");
            return saying(request, reply.isEmpty() ? "I have no idea.\n" : reply);
        });
        m_begun = m_folder.filePath(u"begun.tilewright"_s);
        auto driver = driverOf(m_folder.filePath(u"seed.tilewright"_s));
        NewSession session = sessionOf(driver->path(), m_server.serverPort(), 1,
            R"("limits": {"in_flight": 1},)"
            "\n");
        session.settings.islands = 1;
        driver->engine.create(session);
        QVERIFY(driver->waitForEnd(conversationMs));
        QVERIFY2(driver->run().candidate(CandidateId{1})->isRanked(), driver->ended->status.trouble.c_str());
        driver->execute(commands::SaveCopy{m_begun.toStdString()});
        QVERIFY(driver->failures.isEmpty());
    }

    void aFaultyProgramIsMendedByWhoSeesThePromptAlone_data()
    {
        QTest::addColumn<int>("number");
        for (int number = 1; number <= conversations; ++number)
            QTest::addRow("%02d", number) << number;
    }

    void aFaultyProgramIsMendedByWhoSeesThePromptAlone()
    {
        QFETCH(int, number);
        m_conversation = number;
        m_asked.clear();
        QVERIFY(!fileOf(number, "first").isEmpty());
        const QString path = m_folder.filePath(QString::number(number) + u".tilewright"_s);
        QVERIFY(QFile::copy(m_begun, path));
        auto driver = driverOf(path);
        driver->engine.open(path);
        // One evaluation at a time: while the first is under way nobody is asked for another program.
        for (const std::int64_t evaluations : {2, 3}) {
            driver->execute(commands::SetBudget{{.evaluations = evaluations, .replies = 2}});
            driver->execute(commands::Run{});
            QVERIFY(driver->waitForEnd(conversationMs));
        }
        const RunState& run = driver->run();
        const Candidate* first = answerTo(run, 1);
        QVERIFY2(first, "the patch of the first reply does not apply");
        const std::string found = nameOf(first->outcome) + " " + first->rule + " " + first->text + " ("
            + driver->ended->status.trouble + ")";
        if (number <= unbuilt)
            QVERIFY2(first->outcome == Outcome::BuildFailed, found.c_str());
        else
            QVERIFY2(first->outcome == Outcome::RunFailed || first->rule.starts_with("verify/"), found.c_str());

        // The second request goes on with the same conversation, and tells what was found.
        QVERIFY(m_asked.size() >= 2);
        const std::string& prompt = m_asked[1];
        keepPrompt(number, prompt);
        const std::size_t finding = prompt.find("# What is wrong with it");
        QVERIFY(finding != std::string::npos && prompt.find(fileOf(number, "first").toStdString()) < finding);
        QVERIFY(prompt.find(number <= unbuilt ? "error: " : "shape", finding) != std::string::npos);

        const Candidate* second = answerTo(run, 2);
        qInfo("%02d: first %s; second %s", number, found.c_str(),
            !second ? "no candidate"
                    : (nameOf(second->outcome) + " " + second->rule + " " + second->text + " score "
                        + (second->score ? std::to_string(second->score->value) : "-"))
                          .c_str());
        m_mended += second && second->isRanked() ? 1 : 0;
    }

    void atLeastEightOfTenAreRankedAfterTheSecondTurn()
    {
        QVERIFY2(m_mended >= mendedAtLeast, (std::to_string(m_mended) + " are ranked").c_str());
    }
};

TILEWRIGHT_TEST(TestFaultyReplies)
#include "test_faulty_replies.moc"
