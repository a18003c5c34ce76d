// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that a kill, a stop or a crash cuts off, and what a run does of them when it goes on.
// moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/engine/replies/model_answer.h"
#include "core/store/session_reader.h"
#include "tests/engine/model_sessions.h"
#include "tests/patience.h"
#endif

#include "tests/test_program.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

class TestModelCutoffs : public QObject, ModelSessions
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void aFurtherTryIsOnTheDiskBeforeItLeaves()
    {
        FakeServer server;
        QVERIFY(server.start());
        int seen = 0;
        server.setHandler([&](const SeenRequest&) { return Script{++seen < 3 ? close() : hold()}; });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 6, "\"limits\": {\"in_flight\": 1},\n"));
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 1; }, patience));
        auto reader = SessionReader::open(driver.path().toStdString());
        const auto recorded = (*reader)->load();
        QCOMPARE(recorded->modelRequest({1})->tries, 3);
        QCOMPARE(recorded->modelRequest({1})->state, ModelRequestState::Open);
        const std::int64_t most = recorded->modelRequest({1})->mostTokens;
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.modelRequest({1})->answer.untold, 3);
        QCOMPARE(driver.ended->run.doubtfulTokens, 3 * most);
    }

    void whatWasUnderWayAtAKillIsCountedAsLostAndAskedAgain()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        bool mute = false;
        server.setHandler([&](const SeenRequest& request) {
            return mute ? Script{hold()} : saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 12, "\"limits\": {\"in_flight\": 3},\n");
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted >= 4; }, patience));
        mute = true;
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 3; }, patience));
        const auto isWritten = [&] { // events are written in groups
            const auto reader = SessionReader::open(driver.path().toStdString());
            const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
            return state && countOf(*state, ModelRequestState::Open) == 3;
        };
        QVERIFY(QTest::qWaitFor(isWritten, patience));
        // A kill leaves the files as they are now.
        const QString killed = m_folder.filePath(QStringLiteral("killed.tilewright"));
        QVERIFY(QFile::copy(driver.path(), killed));
        if (QFile::exists(driver.path() + QStringLiteral("-wal")))
            QVERIFY(QFile::copy(driver.path() + QStringLiteral("-wal"), killed + QStringLiteral("-wal")));
        mute = false;
        EngineDriver resumed({}, killed);
        resumed.engine.open(killed);
        QCOMPARE(countOf(resumed.run(), ModelRequestState::Open), std::int64_t(3));
        resumed.execute(commands::Run{});
        QTRY_COMPARE_WITH_TIMEOUT(
            resumed.run().lost, std::int64_t(3), patience); // once the node told that its device is here
        QVERIFY(resumed.waitForEnd());
        const RunState& run = resumed.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(12));
        QCOMPARE(run.unpriced, std::int64_t(3));
        QCOMPARE(run.doubtfulTokens,
            std::accumulate(run.modelRequests.begin(), run.modelRequests.end(), std::int64_t(0),
                [](std::int64_t sum, const ModelRequest& i) { return sum + i.answer.untold * i.mostTokens; }));
        QVERIFY(run.doubtfulTokens > 0);
        QCOMPARE(countOf(run, ModelRequestState::Open), std::int64_t(0));
        const auto repeats = std::count_if(run.modelRequests.begin(), run.modelRequests.end(),
            [](const ModelRequest& i) { return i.repeats.value != 0; });
        QCOMPARE(repeats, std::ptrdiff_t(3));
        std::set<std::string> programs;
        for (const std::string& program : programsMade(run))
            QVERIFY(programs.insert(program).second); // nothing is doubled
        server.release();
        driver.execute(commands::Stop{});
    }

    void aStopCancelsWhatFliesAndGoingOnAsksItAgain()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        bool mute = true;
        server.setHandler([&](const SeenRequest& request) {
            return mute ? Script{hold()} : saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 6, "\"limits\": {\"in_flight\": 2},\n"));
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 2; }, patience));
        driver.execute(commands::Pause{}); // a pause waits for what was paid for
        QTest::qWait(100);
        QCOMPARE(driver.ends, 0);
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QCOMPARE(countOf(driver.ended->run, ModelRequestState::Failed), std::int64_t(2));
        QCOMPARE(driver.ended->run.modelRequest({1})->answer.rule, std::string("llm/cancelled"));
        QCOMPARE(driver.ended->run.unpriced, std::int64_t(2));
        mute = false;
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(6));
        for (const std::int64_t id : {1, 2})
            QVERIFY(
                std::any_of(run.modelRequests.begin(), run.modelRequests.end(), [id](const ModelRequest& modelRequest) {
                    return modelRequest.repeats == ModelRequestId{id}
                    && modelRequest.state == ModelRequestState::Complete;
                }));
    }

    void ofABodyThatWasStoredBeforeACrashTheAnswerIsRead()
    {
        ModelReply read;
        read.model = "m";
        read.state = ReplyState::Complete;
        read.answers = {{"text", "", "", Finish::Stop, "stop"}};
        read.usage = {10, 0, 0, 5, 0};
        read.usageSource = UsageSource::Reported;
        read.usd = 0.25;
        ModelRequest modelRequest;
        modelRequest.model = "m";
        modelRequest.bodies = {{1, 200, "openai-chat", {}}};
        const Response whole = responseAfterLoss(read, modelRequest);
        QCOMPARE(whole.answer.state, ModelRequestState::Complete);
        QCOMPARE(*whole.answer.costMicroUsd, std::int64_t(250'000));
        QCOMPARE(whole.answer.untold, 0);
        QVERIFY(whole.answer.rule.empty() && whole.text == "text");
        modelRequest.bodies.push_back({2, 200, "openai-chat", {}});
        QVERIFY(!responseAfterLoss(read, modelRequest).answer.costMicroUsd); // a try before cost nobody knows what
        read.state = ReplyState::Incomplete;
        read.usageSource = UsageSource::Estimated;
        const Response broken = responseAfterLoss(read, modelRequest);
        QCOMPARE(broken.answer.state, ModelRequestState::Incomplete);
        QCOMPARE(broken.answer.rule, std::string("llm/lost"));
        QVERIFY(broken.answer.wasInterrupted() && !broken.answer.costMicroUsd);
        QCOMPARE(broken.answer.guessed.total(), std::int64_t(15));
        QCOMPARE(broken.answer.untold, 2);
    }

    void whatAServerRefusedIsLeftOutAfterAResumeAsWell()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0, refusals = 0;
        server.setHandler([&](const SeenRequest& request) {
            if (!request.json.contains("stream_options"))
                return saying(request, scriptedReply(++number));
            ++refusals;
            const nlohmann::json error{{"message", "Unsupported parameter"}, {"param", "stream_options"}};
            return answer(400, nlohmann::json{{"error", error}}.dump());
        });
        const QString path = m_folder.filePath(QStringLiteral("refused.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.engine.create(sessionOf(path, server.serverPort(), 5, "\"limits\": {\"in_flight\": 1},\n"));
            QVERIFY(driver.waitForEnd());
            QCOMPARE(refusals, 1);
            QCOMPARE(driver.run().statisticsByModel.at("swift").refusedParameters,
                std::vector<std::string>{"stream_options"});
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        const std::size_t until = server.seen().size();
        driver.execute(commands::SetBudget{{12, 0, 0, 0}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(refusals, 1);
        int asked = 0;
        for (std::size_t i = until; i < server.seen().size(); ++i)
            asked += protocolOf(server.seen()[i]) == ModelProtocol::OpenAiChat ? 1 : 0;
        QVERIFY(asked > 0);
    }
};

TILEWRIGHT_TEST(TestModelCutoffs)
#include "test_model_cutoffs.moc"
