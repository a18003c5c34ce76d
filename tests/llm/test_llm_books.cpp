// SPDX-License-Identifier: GPL-3.0-or-later
// The scripted model server and the client side by side, with a fault in every tenth request: no call hangs, no reply
// is lost, and the two sets of books agree to the token. moc 6.4 stumbles over g++ 12's <concepts>, which these lead
// to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/llm/pace.h"
#include "tests/llm/call_bench.h"
#include "tests/patience.h"
#endif

#include "tests/test_program.h"

#include <QProcess>
#include <QTest>
#include <fstream>

using namespace tilewright;
using namespace tilewright::testing;

class TestLlmBooks : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcess m_server;

    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    std::vector<nlohmann::json> ledger() const
    {
        std::vector<nlohmann::json> lines;
        std::ifstream file(path("ledger.jsonl"));
        for (std::string line; std::getline(file, line);)
            lines.push_back(parsedOrDiscarded(line));
        return lines;
    }

    /// Starts the server afresh; its port, 0 if it said none.
    int serve(const char* rate)
    {
        stop();
        QFile::remove(m_folder.filePath(QStringLiteral("ledger.jsonl")));
        m_server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER),
            {QStringLiteral("--replies"), m_folder.filePath(QStringLiteral("replies")), QStringLiteral("--fault-rate"),
                QString::fromLatin1(rate), QStringLiteral("--seed"), QStringLiteral("11"), QStringLiteral("--ledger"),
                m_folder.filePath(QStringLiteral("ledger.jsonl"))});
        QString line;
        CallBench::until([&] {
            line += QString::fromUtf8(m_server.readLine());
            return line.contains(QLatin1Char('\n')) || m_server.state() == QProcess::NotRunning;
        });
        return line.section(QLatin1Char(' '), 1).trimmed().toInt();
    }

    void stop()
    {
        if (m_server.state() == QProcess::NotRunning)
            return;
        m_server.kill();
        m_server.waitForFinished(patience);
    }

private Q_SLOTS:
    void initTestCase()
    {
        catchLog();
        QDir(m_folder.path()).mkdir(QStringLiteral("replies"));
        for (int i = 0; i < 20; ++i) {
            QFile file(m_folder.filePath(QStringLiteral("replies/%1.md").arg(i, 4, 10, QLatin1Char('0'))));
            QVERIFY(file.open(QIODevice::WriteOnly));
            const QByteArray number = QByteArray::number(i);
            file.write("<reasoning>idea " + number + " — größer</reasoning>\n<diff>\n@@ @@\n-int a = 1;\n+int a = "
                + number + ";\n</diff>\n" + QByteArray(i * 37, '/'));
        }
    }
    void cleanupTestCase() { stop(); }

    void booksBalanceToTheTokenWithFaultsInEveryTenthRequest_data()
    {
        QTest::addColumn<int>("protocol");
        for (const auto& [protocol, name] : modelProtocols)
            QTest::newRow(std::string(name).c_str()) << static_cast<int>(protocol);
    }
    void booksBalanceToTheTokenWithFaultsInEveryTenthRequest()
    {
        QFETCH(int, protocol);
        const int port = serve("0.1");
        QVERIFY(port > 0);
        CallBench bench(static_cast<ModelProtocol>(protocol), [port](ModelEndpoint& endpoint, ModelSpec& spec) {
            endpoint.url = "http://127.0.0.1:" + std::to_string(port);
            endpoint.mostInFlight = 8;
            spec.price = TokenPrice{1, 2, 1, 1, "2026-11-21", ""};
        });
        Spending spending;
        std::vector<ModelCallId> ids;
        for (int i = 0; i < 120; ++i) {
            ChatRequest request = CallBench::question();
            request.conversation = "proposal " + std::to_string(i);
            request.messages[0].text += std::string(static_cast<std::size_t>(i), 'x');
            ids.push_back(bench.submit(request));
            spending.reserve(bench.client().worstCaseOf(request));
        }
        TokenUsage reported;
        std::int64_t estimated = 0, attempts = 0, unanswered = 0, usable = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ModelReply reply = bench.finish(ids[i]);
            QCOMPARE(reply.conversation, "proposal " + std::to_string(i));
            QVERIFY2(reply.error.code != "test/never", reply.error.text.c_str());
            attempts += static_cast<std::int64_t>(reply.attempts.size());
            usable += reply.state == ReplyState::Complete;
            if (reply.state == ReplyState::Complete)
                QVERIFY(reply.answers.at(0).text.ends_with(">\n") || reply.answers.at(0).text.ends_with("/"));
            if (reply.usageSource == UsageSource::Reported)
                reported += reply.usage;
            estimated += reply.usageSource == UsageSource::Estimated;
            for (const ModelAttempt& attempt : reply.attempts) {
                estimated += attempt.wasted.total() > 0;
                unanswered += attempt.status == 0;
            }
            spending.settle({}, reply.spent(), reply.usd);
        }
        std::int64_t toldInput = 0, toldOutput = 0, untold = 0, faults = 0;
        std::set<std::string> delivered;
        const auto lines = ledger();
        for (const nlohmann::json& line : lines) {
            const bool told = line["told"] == true;
            toldInput += told ? countAt(line, "input_tokens") : 0;
            toldOutput += told ? countAt(line, "output_tokens") : 0;
            untold += !told && countAt(line, "input_tokens") > 0;
            faults += !textAt(line, "fault").empty();
            delivered.insert(textAt(line, "reply"));
        }
        const auto requests = static_cast<std::int64_t>(lines.size());
        QVERIFY2(requests <= attempts, "something was sent behind our back");
        QVERIFY2(requests >= attempts - unanswered, "an attempt that was answered stands in no ledger");
        QVERIFY2(faults >= 5, "the fault rate does nothing");
        QCOMPARE(reported.read(), toldInput);
        QCOMPARE(reported.written(), toldOutput);
        QVERIFY2(estimated >= untold, "a reply that was paid for left no trace in the books");
        QVERIFY(usable >= 100);
        QCOMPARE(delivered.size(), 20u);
        QCOMPARE(bench.client().open(), 0);
        QVERIFY(spending.tokens.total() >= reported.total());
        QVERIFY(bench.recorded().find(canary) == std::string::npos);
    }

    void withoutFaultsEveryReplyComesInOrderAtItsFirstTry()
    {
        const int port = serve("0");
        QVERIFY(port > 0);
        CallBench bench(ModelProtocol::OpenAiChat,
            [port](ModelEndpoint& endpoint, ModelSpec&) { endpoint.url = "http://127.0.0.1:" + std::to_string(port); });
        for (int i = 0; i < 25; ++i) {
            const ModelReply reply = bench.ask();
            QCOMPARE(reply.attempts.size(), 1u);
            QVERIFY(reply.answers.at(0).text.find("idea " + std::to_string(i % 20) + " ") != std::string::npos);
        }
    }

    void theServerSaysWhatItNeeds()
    {
        QProcess process;
        process.start(
            QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), {QStringLiteral("--fault-rate"), QStringLiteral("2")});
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("--replies"));
    }
};

TILEWRIGHT_TEST(TestLlmBooks)
#include "test_llm_books.moc"
