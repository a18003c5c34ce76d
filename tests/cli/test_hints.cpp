// SPDX-License-Identifier: GPL-3.0-or-later
// What a user says to a run from the command line, and templates of their own: seen in the prompts that come out.
#include "core/store/session_reader.h"
#include "tests/test_program.h"
#ifndef Q_MOC_RUN
#include "tests/cli/cli_run.h"
#include "tests/llm/model_stage.h"
#endif

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

bool writeFile(const QString& path, const QByteArray& text)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace

class TestHints : public QObject
{
    Q_OBJECT

    const QString m_task = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");

    static Run cli(const QString& home, const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_FAKE_NODE));
        environment.insert(QStringLiteral("TILEWRIGHT_SHARE"), QStringLiteral(TILEWRIGHT_SOURCE_DIR));
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home);
        environment.insert(canaryVariable, QString::fromLatin1(canaryKey));
        return runToItsEnd(environment, arguments);
    }

    /// A run that ends by itself while its prompts still wait for a user.
    QStringList evolve(const QTemporaryDir& home, const QStringList& more) const
    {
        return QStringList{QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
                   home.filePath(QStringLiteral("s.tilewright")), QStringLiteral("--proposer"),
                   QStringLiteral("manual:") + home.filePath(QStringLiteral("letters")), QStringLiteral("--islands"),
                   QStringLiteral("2"), QStringLiteral("--wall-time"), QStringLiteral("3")}
        + more;
    }

    struct Asked {
        IslandId island;
        QString text;
    };
    static std::vector<Asked> promptsOf(const QTemporaryDir& home, std::size_t from = 0)
    {
        const auto reader = SessionReader::open(home.filePath(QStringLiteral("s.tilewright")).toStdString());
        const RunState state = (*reader)->load().value();
        std::vector<Asked> asked;
        for (std::size_t i = from; i < state.modelRequests.size(); ++i)
            asked.push_back({state.modelRequests[i].island,
                QString::fromStdString((*reader)->text(state.modelRequests[i].prompt).value())});
        return asked;
    }

private Q_SLOTS:
    void hintsReachThePromptsOfTheIslandsTheyAreFor()
    {
        const QTemporaryDir home;
        const Run run = cli(home.path(),
            evolve(home,
                {QStringLiteral("--hint"), QStringLiteral("Mind the edges."), QStringLiteral("--hint"),
                    QStringLiteral("B=Try tiles of 8×6."), QStringLiteral("--hint"),
                    QStringLiteral("KC=256 is too small.")}));
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.err.contains("hint for island B: Try tiles of 8×6.\n"));
        QVERIFY(run.err.contains("hint for all islands: KC=256 is too small.\n"));
        const std::vector<Asked> first = promptsOf(home);
        std::set<IslandId> islands;
        for (const Asked& asked : first) {
            islands.insert(asked.island);
            QVERIFY(asked.text.contains(QStringLiteral("- Mind the edges.\n- KC=256 is too small.\n")));
            QCOMPARE(asked.text.contains(QStringLiteral("- Try tiles of 8×6.\n")), asked.island.value == 2);
        }
        QCOMPARE(islands.size(), std::size_t(2));

        // Replies that hold no patch: each earns a repair prompt, with the hints as they are by then.
        for (std::size_t i = 1; i <= first.size(); ++i)
            QVERIFY(writeFile(home.filePath(QStringLiteral("letters/%1.reply.md").arg(i, 4, 10, QLatin1Char('0'))),
                "I have no idea.\n"));
        const Run resumed = cli(home.path(),
            {QStringLiteral("resume"), home.filePath(QStringLiteral("s.tilewright")), QStringLiteral("--wall-time"),
                QStringLiteral("7"), QStringLiteral("--hint"), QStringLiteral("B="), QStringLiteral("--hint"),
                QStringLiteral("*=A=B^T is no use.")});
        QVERIFY2(resumed.exitCode == 0, resumed.err);
        QVERIFY(resumed.err.contains("hint removed for island B\n"));
        const std::vector<Asked> later = promptsOf(home, first.size());
        QVERIFY(!later.empty());
        for (const Asked& asked : later) {
            QVERIFY(asked.text.contains(QStringLiteral("- A=B^T is no use.\n")));
            QVERIFY(!asked.text.contains(QStringLiteral("Mind the edges.")));
            QVERIFY(!asked.text.contains(QStringLiteral("Try tiles")));
        }
    }

    void aKeyInAHintOrAReplyReachesNoPromptAndNoFile()
    {
        const QTemporaryDir home;
        QVERIFY(QDir().mkpath(home.filePath(QStringLiteral("tilewright/models"))));
        writeModelsFile(home.filePath(QStringLiteral("tilewright/models/models.json")), 9);
        const QString hint = QStringLiteral("Ask with %1 if need be.").arg(QString::fromLatin1(canaryKey));
        const Run run = cli(home.path(), evolve(home, {QStringLiteral("--hint"), hint}));
        QVERIFY2(run.exitCode == 0, run.err);
        const std::vector<Asked> first = promptsOf(home);
        QVERIFY(!first.empty());
        for (const Asked& asked : first)
            QVERIFY2(asked.text.contains(QStringLiteral("- Ask with [key] if need be.\n")), qPrintable(asked.text));
        QVERIFY(!anyFileHolds(home.path(), canaryKey));

        // A reply that repeats it comes back in the prompt that asks to mend it.
        const QString reply = home.filePath(QStringLiteral("letters/0001.reply.md"));
        QVERIFY(writeFile(reply, "<reasoning>\nThe key is " + canaryKey + ".\n</reasoning>\nNo idea.\n"));
        const Run resumed = cli(home.path(),
            {QStringLiteral("resume"), home.filePath(QStringLiteral("s.tilewright")), QStringLiteral("--wall-time"),
                QStringLiteral("7"), QStringLiteral("--hint"), QStringLiteral("B=") + hint});
        QVERIFY2(resumed.exitCode == 0, resumed.err);
        bool isRepaired = false;
        for (const Asked& asked : promptsOf(home, first.size()))
            isRepaired |= asked.text.contains(QStringLiteral("The key is [key]."));
        QVERIFY(isRepaired);
        QDir(home.filePath(QStringLiteral("letters"))).removeRecursively(); // holds what the user wrote
        QVERIFY(!anyFileHolds(home.path(), canaryKey));
    }

    void whoReadsNoPromptTakesNoHint()
    {
        const QTemporaryDir home;
        const Run run = cli(home.path(),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--hint"),
                QStringLiteral("hello")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("mutator uses no prompts"), run.err);
    }

    void anIslandsOwnTemplateIsUsedForItAlone()
    {
        const QTemporaryDir home;
        const QString own = home.filePath(QStringLiteral("tilewright/prompts/"));
        for (const char* name : {"explore.md", "exploit.md", "crossover.md"}) {
            QVERIFY(writeFile(own + QLatin1String(name), "Everybody edits {{name}}.\n"));
            QVERIFY(writeFile(own + QStringLiteral("B/") + QLatin1String(name), "Island B edits {{name}}.\n"));
        }
        const Run run = cli(home.path(), evolve(home, {}));
        QVERIFY2(run.exitCode == 0, run.err);
        const std::vector<Asked> prompts = promptsOf(home);
        QVERIFY(prompts.size() >= 2);
        for (const Asked& asked : prompts)
            QCOMPARE(asked.text,
                asked.island.value == 2 ? QStringLiteral("Island B edits c-0001.\n")
                                        : QStringLiteral("Everybody edits c-0001.\n"));
    }

    void aMistakeInAnIslandsTemplateRefusesTheRunWithFileAndLine()
    {
        const QTemporaryDir home;
        const QString broken = home.filePath(QStringLiteral("tilewright/prompts/B/exploit.md"));
        QVERIFY(writeFile(broken, "Edit {{name}}.\nAnd {{nmae}}.\n"));
        const Run run = cli(home.path(), evolve(home, {}));
        QVERIFY(run.exitCode != 0);
        QVERIFY2(run.err.contains((broken + QStringLiteral(", line 2: unknown placeholder 'nmae'")).toUtf8()), run.err);
        QVERIFY(!QFile::exists(home.filePath(QStringLiteral("s.tilewright"))));
    }
};

TILEWRIGHT_TEST(TestHints)
#include "test_hints.moc"
