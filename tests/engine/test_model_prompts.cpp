// SPDX-License-Identifier: GPL-3.0-or-later
// What a run sends to its models: prompts within the room that they have, the memory of the run, an island's
// temperature. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/engine/replies/model_reply_source.h"
#include "core/store/session_reader.h"
#include "tests/engine/model_sessions.h"
#include "tests/engine/person.h"
#endif

#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

class TestModelPrompts : public QObject, ModelSessions
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void aSummaryThatNoModelHasRoomForGivesWayToTheStatistics()
    {
        const QString home = m_folder.filePath(QStringLiteral("home"));
        QVERIFY(QDir().mkpath(home + QStringLiteral("/tilewright/prompts")));
        QFile shipped(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/prompts/summary.md")),
            own(home + QStringLiteral("/tilewright/prompts/summary.md"));
        QVERIFY(shipped.open(QIODevice::ReadOnly) && own.open(QIODevice::WriteOnly));
        own.write(shipped.readAll() + QByteArray("Mind every word of this.\n").repeated(2'400));
        own.close();
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        const bool wasSet = qEnvironmentVariableIsSet("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", home.toUtf8());
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            Said said;
            said.pieces = {scriptedReply(++number).toStdString()};
            said.input = static_cast<int>(static_cast<double>(request.body.size()) * 0.3);
            said.output = 50;
            return stream(eventsOf(protocolOf(request), said));
        });
        EngineDriver driver;
        driver.engine.create(narrowSession(driver.path(), server.serverPort(), 30, 14'000));
        const bool ended = driver.waitForEnd();
        wasSet ? qputenv("XDG_DATA_HOME", before) : qunsetenv("XDG_DATA_HOME");
        QVERIFY2(ended, (std::to_string(driver.run().evaluationsStarted) + " evaluations").c_str());
        const RunState& run = driver.ended->run;
        QVERIFY2(run.phase == events::Phase::Finished, driver.ended->status.trouble.c_str());
        QCOMPARE(run.evaluationsStarted, std::int64_t(30));
        QVERIFY(!run.insights.empty());
        for (const InsightNote& note : run.insights)
            QCOMPARE(note.author, std::string("statistics"));
        for (const ModelRequest& modelRequest : run.modelRequests)
            QVERIFY(!modelRequest.asksForSummary());
        const auto& notices = driver.ended->status.notices;
        QCOMPARE(std::count_if(notices.begin(), notices.end(),
                     [](const std::string& words) { return words.starts_with("no summary is requested: "); }),
            1);
    }

    void aModelWritesTheRunsMemoryWhereOneIsAsked()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0, summaries = 0;
        server.setHandler([&](const SeenRequest& request) {
            if (request.body.find("Send these lines and nothing else") != std::string::npos)
                return saying(request, "- summary " + QByteArray::number(++summaries) + ": packing pays\n");
            return saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 45));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(45));
        QCOMPARE(summaries, 1);
        QCOMPARE(run.insights.size(), std::size_t(1));
        QVERIFY(run.insights[0].author == "swift" || run.insights[0].author == "wise");
        auto reader = SessionReader::open(driver.path().toStdString());
        QCOMPARE((*reader)->text(run.insights[0].text).value(), std::string("- summary 1: packing pays\n"));
        const ModelRequest& last = run.modelRequests[run.modelRequests.size() - 1];
        QVERIFY((*reader)->text(last.prompt).value().find("summary 1: packing pays") != std::string::npos);
    }

    void aSummaryThatIsNoneIsNotTakenAndThePersonIsTold()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            if (request.body.find("Send these lines and nothing else") != std::string::npos)
                return saying(request, "- see\n" + scriptedReply(1) + QByteArray(84'000, 'x'));
            return saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 45));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.insights.size(), std::size_t(1));
        QCOMPARE(run.insights[0].author, std::string("statistics"));
        auto reader = SessionReader::open(driver.path().toStdString());
        QVERIFY((*reader)->text(run.insights[0].text).value().size() < 4000);
        QVERIFY(std::ranges::any_of(driver.ended->status.notices,
            [](const std::string& words) { return words.find("is not used: it has ") != std::string::npos; }));
    }

    void thePromptsRoomIsThatOfTheSmallestModelThatMayBeAsked()
    {
        ModelsFile file;
        file.endpoints = {{}};
        for (const auto& [name, context, output] :
            {std::tuple{"large", 100'000, 20'000}, std::tuple{"small", 32'000, 12'000},
                std::tuple{"idle", 8'000, 1'000}, std::tuple{"unknown", 0, 500}}) {
            ModelSpec spec;
            spec.name = name;
            spec.capabilities.contextTokens = context;
            spec.maxOutputTokens = output;
            spec.weight = spec.name == "idle" ? 0 : 1;
            file.models.push_back(spec);
        }
        RunState state;
        const auto roomOf = [&] {
            ModelReplySource models(file);
            ReplySink sink;
            sink.state = [&]() -> const RunState& { return state; };
            models.open(sink);
            return models.promptRoom({1});
        };
        QCOMPARE(roomOf().model, std::string("small"));
        QVERIFY(roomOf().tokens <= 20'000 && roomOf().tokens > 19'000);
        QCOMPARE(roomOf().tokensPerByte, 0.0); // nobody has answered yet
        state.statisticsByModel["small"].pausedBecause = "no money";
        QCOMPARE(roomOf().model, std::string("large"));
        file.islands["A"]["idle"] = 1; // it has a weight on this island
        QCOMPARE(roomOf().model, std::string("idle"));
        file.models[2].maxOutputTokens = 8'000; // would leave nothing
        QVERIFY(roomOf().tokens <= 4'000 && roomOf().tokens > 3'000);
        file.models.resize(1);
        file.models[0].capabilities.contextTokens = 0;
        QCOMPARE(roomOf().tokens, std::int64_t(0));
    }

    void aPreviewTellsTheSameTokensAndPriceWhileTheRunRests()
    {
        FakeServer server;
        QVERIFY(server.start());
        int asked = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++asked)); });
        const QString path = m_folder.filePath(QStringLiteral("rests.tilewright"));
        const auto previewOf = [](EngineDriver& driver) {
            PromptDraft draft;
            draft.name = "exploit";
            draft.text = "Make it faster.\n{{code}}\n";
            return driver.preview(draft);
        };
        PromptPreview running;
        {
            EngineDriver driver({}, path);
            driver.engine.create(sessionOf(driver.path(), server.serverPort(), 2));
            QVERIFY(driver.waitForEnd());
            running = previewOf(driver);
            QVERIFY(running.room.usdPerToken);
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path); // opened, and nobody was asked since
        driver.engine.open(path);
        const PromptPreview resting = previewOf(driver);
        QCOMPARE(resting.room.usdPerToken, running.room.usdPerToken);
        QVERIFY(running.room.usdPerTokenWritten > running.room.usdPerToken);
        QCOMPARE(resting.room.usdPerTokenWritten, running.room.usdPerTokenWritten);
        QCOMPARE(resting.room.tokens, running.room.tokens);
        QCOMPARE(resting.parts.size(), running.parts.size());
        QVERIFY(resting.parts.size() > 1);
    }

    /// The models file of sessionOf() with this context for both models, of which 4000 tokens are for the answer.
    NewSession narrowSession(const QString& path, int port, std::int64_t evaluations, int context)
    {
        NewSession session = sessionOf(path, port, evaluations, "\"limits\": {\"in_flight\": 1},\n");
        QFile file(path + QStringLiteral(".models.json"));
        if (file.open(QIODevice::ReadWrite)) {
            const QByteArray text = file.readAll().replace("\"max_output_tokens\": 4000",
                "\"max_output_tokens\": 4000, \"capabilities\": {\"context_tokens\": " + QByteArray::number(context)
                    + "}");
            file.resize(0);
            file.write(text);
        }
        return session;
    }

    void promptsKeepWithinTheContextAndTheRecordTellsWhatWasLeftOut()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            Said said;
            said.pieces = {scriptedReply(++number).toStdString()};
            said.input = static_cast<int>(static_cast<double>(request.body.size()) * 0.4); // a wordy tokenizer
            said.output = 50;
            return stream(eventsOf(protocolOf(request), said));
        });
        constexpr int context = 8'200;
        EngineDriver driver;
        driver.engine.create(narrowSession(driver.path(), server.serverPort(), 12, context));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(12));
        auto reader = SessionReader::open(driver.path().toStdString());
        std::size_t trimmed = 0;
        for (std::size_t i = 0; i < run.modelRequests.size(); ++i) {
            const ModelRequest& modelRequest = run.modelRequests[i];
            const std::string text = (*reader)->text(modelRequest.prompt).value();
            const std::size_t bytes = text.size() + (*reader)->text(modelRequest.system).value().size();
            if (i == 0)
                QVERIFY(static_cast<double>(bytes) * 0.3 <= context - 4000);
            QCOMPARE(modelRequest.leftOut.empty(), text.find("Omitted for lack of space") == std::string::npos);
            trimmed += modelRequest.leftOut.empty() ? 0 : 1;
            for (const std::string& words : modelRequest.leftOut)
                QVERIFY2(text.find(words) != std::string::npos, words.c_str());
        }
        QVERIFY(trimmed > 0);
        // Once the answers told 0.4 tokens a byte, prompts that would fit at 0.3 are too long.
        const ModelRequest& last = run.modelRequests[run.modelRequests.size() - 1];
        const std::size_t bytes
            = (*reader)->text(last.prompt).value().size() + (*reader)->text(last.system).value().size();
        QVERIFY2(static_cast<double>(bytes) * 0.36 <= context - 4000, std::to_string(bytes).c_str());
        QVERIFY(!last.leftOut.empty());
    }

    void aContextThatNoPromptFitsPausesTheRunAndNamesTheModel()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest& request) { return saying(request, scriptedReply(1)); });
        EngineDriver driver;
        driver.engine.create(narrowSession(driver.path(), server.serverPort(), 12, 5'000));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("prompt/budget"));
        QVERIFY(driver.ended->status.trouble.find("the model 'swift'") != std::string::npos);
        QCOMPARE(driver.ended->run.modelRequests.size(), std::size_t(0));
        QVERIFY(server.seen().empty());
    }

    void anIslandsTemperatureIsSentWithItsRequestsAlone()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++number)); });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 6, "\"limits\": {\"in_flight\": 1},\n"));
        QVERIFY(driver.waitForEnd(120'000));
        const std::size_t until = driver.run().modelRequests.size();
        commands::SteerIsland warm{{2}, {}};
        warm.steering.sampling = 0.25;
        driver.execute(warm);
        driver.execute(commands::SetBudget{{16, 0, 0, 0}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd(120'000));
        const RunState run = driver.run();
        QCOMPARE(server.seen().size(), run.modelRequests.size()); // each was sent once, in its order
        int warmed = 0;
        for (std::size_t i = 0; i < run.modelRequests.size(); ++i) {
            const nlohmann::json& sent = server.seen()[i].json;
            const bool isWarm = i >= until && run.modelRequests[i].island == IslandId{2};
            warmed += isWarm ? 1 : 0;
            QCOMPARE(sent.contains("temperature"), isWarm);
            if (isWarm)
                QCOMPARE(sent.at("temperature").get<double>(), 0.25);
        }
        QVERIFY(warmed > 0);
    }
};

TILEWRIGHT_TEST(TestModelPrompts)
#include "test_model_prompts.moc"
