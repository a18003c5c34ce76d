// SPDX-License-Identifier: GPL-3.0-or-later
// Language models that drive a run: against a real engine, a fake node and model servers on real sockets. Who is asked,
// what comes of replies, and what a run does while models fail. moc 6.4 stumbles over g++ 12's <concepts>, which some
// of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/control/control_commands.h"
#include "core/model/islands/island_change.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/requests/conversation.h"
#include "core/model/tuning_record.h"
#include "tests/engine/landscape.h"
#include "tests/engine/model_sessions.h"
#include "tests/engine/person.h"
#include "tests/patience.h"
#endif

#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

class TestModels : public QObject, ModelSessions
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void theBooksOfARunBalanceToTheTokenAndItsReplayEndsInTheSameCandidates()
    {
        const QString replies = m_folder.filePath(QStringLiteral("replies")),
                      ledger = m_folder.filePath(QStringLiteral("ledger.jsonl"));
        writeScriptedReplies(replies, 60);
        ModelServerProcess server;
        const int port = server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), replies, ledger, 0.2, 7);
        QVERIFY(port > 0);
        EngineDriver driver({}, m_folder.filePath(QStringLiteral("books.tilewright")));
        driver.engine.create(sessionOf(driver.path(), port, 30));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(30));
        QCOMPARE(countOf(run, ModelRequestState::Open), std::int64_t(0));
        TokenUsage told;
        std::int64_t tries = 0;
        std::set<std::string> models;
        for (const ModelRequest& modelRequest : run.modelRequests) {
            told += modelRequest.answer.tokens;
            told.input -= modelRequest.answer.guessed.input;
            told.outputVisible -= modelRequest.answer.guessed.outputVisible;
            tries += modelRequest.answer.tries;
            models.insert(modelRequest.model);
            QCOMPARE(modelRequest.bodies.empty(), modelRequest.answer.tokens.total() == 0);
        }
        const LedgerSums sums = sumsOf(ledger);
        QVERIFY(sums.faults > 0);
        QCOMPARE(qint64(told.read()), sums.toldInput);
        QCOMPARE(qint64(told.written()), sums.toldOutput);
        QVERIFY(sums.requests <= tries);
        QCOMPARE(models, (std::set<std::string>{"swift", "wise"}));
        QVERIFY(run.statisticsByModel.at("swift").asked > 0 && run.statisticsByModel.at("wise").asked > 0);
        QVERIFY(run.statisticsByModel.at("swift").usd > 0);
        // Every whole reply is in the record, with the proposals that it holds.
        std::set<ModelRequestId> read;
        for (const Proposal& proposal : run.proposals)
            read.insert(proposal.modelRequest);
        for (const ModelRequest& modelRequest : run.modelRequests)
            QVERIFY(modelRequest.state != ModelRequestState::Complete || modelRequest.asksForSummary()
                || read.contains(modelRequest.id));
        QVERIFY(!anyFileHolds(m_folder.path(), canaryKey));
        QVERIFY(driver.close());

        EngineDriver replayed;
        NewSession again;
        again.path = replayed.path();
        again.pack = m_pack;
        again.settings.proposer = "replay:" + driver.path().toStdString();
        replayed.engine.create(again);
        QVERIFY(replayed.waitForEnd());
        QCOMPARE(programsMade(replayed.ended->run), programsMade(run));
        QCOMPARE(replayed.ended->run.tokensSpent, std::int64_t(0));
    }

    void aRepairIsAskedOfTheModelThatWroteTheReplyAndContinuesItsConversation()
    {
        FakeServer server;
        QVERIFY(server.start());
        int asked = 0;
        server.setHandler([&](const SeenRequest& request) {
            return saying(request, ++asked == 1 ? scriptedMistake() : scriptedReply(asked));
        });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 8, "\"limits\": {\"in_flight\": 1},\n");
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        const auto repair = std::find_if(run.modelRequests.begin(), run.modelRequests.end(),
            [](const ModelRequest& i) { return i.repairOf.value != 0; });
        QVERIFY(repair != run.modelRequests.end());
        QCOMPARE(repair->continues, run.proposal(repair->repairOf)->modelRequest);
        QCOMPARE(repair->model, run.modelRequest(repair->continues)->model);
        QCOMPARE(conversationOf(run, repair->id), (std::vector<ModelRequestId>{repair->continues, repair->id}));
        const nlohmann::json& messages
            = server.seen().at(static_cast<std::size_t>(repair->id.value - 1)).json["messages"];
        std::vector<std::string> roles;
        for (const nlohmann::json& message : messages)
            if (message["role"] != "system")
                roles.push_back(message["role"]);
        QCOMPARE(roles, (std::vector<std::string>{"user", "assistant", "user"}));
        QVERIFY(messages.dump().find("It is shown above.") != std::string::npos);
        const auto mended = std::find_if(run.candidates.begin(), run.candidates.end(), [&](const Candidate& candidate) {
            const Proposal* proposal = run.proposal(candidate.proposal);
            return proposal && proposal->modelRequest == repair->id;
        });
        QVERIFY(mended != run.candidates.end());
        QCOMPARE(turnsOf(run, mended->id).size(), std::size_t(2));
    }

    void theProgramOfAReplyIsTimedBesideItsParentWhereThatIsNotTheBest()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++number)); });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 40));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        int pairs = 0;
        for (const Evaluation& evaluation : run.evaluations) {
            const auto& pair = evaluation.result.versusParent;
            QVERIFY(evaluation.result.purpose != Purpose::Parent);
            if (!pair)
                continue;
            ++pairs;
            const Candidate& candidate = *run.candidate(evaluation.candidate);
            const Candidate& program = *run.candidate(tuningBase(run, candidate.id));
            const Candidate& parent = *run.candidate(pair->parent);
            QCOMPARE(parent.id, originOf(run, rankedAncestor(run, program)));
            QVERIFY(parent.id != originOf(run, evaluation.against) && parent.id != CandidateId{1});
            const double known
                = syntheticSpeed(driver.text(candidate.source)) / syntheticSpeed(driver.text(parent.source));
            QVERIFY2(std::abs(pair->ratio.value / known - 1) < 0.02, qPrintable(QString::number(known)));
            const auto change = versusOther(run, candidate, parent.id);
            QVERIFY(change && change->paired);
        }
        QVERIFY(pairs > 0);
    }

    void aDeadModelShowsOnItsIslandsAndTheOthersGoOn()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            return protocolOf(request) == ModelProtocol::Anthropic ? answer(500, "{\"error\":{\"message\":\"down\"}}")
                                                                   : saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        std::string words;
        std::size_t islands = 0;
        connect(&driver.engine, &Engine::published, &driver.engine, [&](const SnapshotPtr& snapshot) {
            for (const ModelStatus& model : snapshot->status.models)
                if (model.name == "wise" && model.condition != ModelCondition::Ready) {
                    words = model.text;
                    islands = std::max(islands, snapshot->status.islandTrouble.size());
                }
        });
        driver.engine.create(
            sessionOf(driver.path(), server.serverPort(), 25, "\"limits\": {\"tries\": 1, \"patience_s\": 0},\n"));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(25));
        QVERIFY(run.statisticsByModel.at("wise").pausedBecause.find("1 failure: ") != std::string::npos);
        QVERIFY(run.statisticsByModel.at("swift").pausedBecause.empty());
        QVERIFY2(words.starts_with("paused: "), words.c_str());
        QCOMPARE(islands, std::size_t(4));
    }

    void aPausedModelIsAskedAgainByACommandAndThatIsAChangeOfTheRun()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0, ofWise = 0;
        bool isDown = true;
        server.setHandler([&](const SeenRequest& request) {
            const bool isWise = protocolOf(request) == ModelProtocol::Anthropic;
            ofWise += isWise;
            return isWise && isDown ? answer(500, "{\"error\":{\"message\":\"down\"}}")
                                    : saying(request, scriptedReply(++number));
        });
        EngineDriver driver;
        const auto command = [&](const char* model) {
            return obey(driver.engine, {{"do", "resume-model"}, {"name", model}}).value("code", std::string("done"));
        };
        driver.engine.create(
            sessionOf(driver.path(), server.serverPort(), 2000, "\"limits\": {\"tries\": 1, \"patience_s\": 0},\n"));
        const auto isPaused = [&] {
            const auto& statisticsByModel = driver.run().statisticsByModel;
            return statisticsByModel.contains("wise") && !statisticsByModel.at("wise").pausedBecause.empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPaused(), patience);
        QCOMPARE(command("unknown"), std::string("model/unknown"));
        QCOMPARE(command("swift"), std::string("model/not-paused"));
        isDown = false;
        const int before = ofWise;
        std::string said;
        QVERIFY2(QTest::qWaitFor([&] { return (said = command("wise")) == "done"; }, patience), said.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(ofWise > before, patience); // that of an untouched twin is asked no more: see above
        QVERIFY(!isPaused());
        const auto& changes = driver.run().changes;
        const auto change = std::ranges::find(changes, std::string("model wise"), &RunChange::what);
        QVERIFY(change != changes.end());
        QVERIFY2(change->from.starts_with("paused: 1 failure: "), change->from.c_str());
        QCOMPARE(change->to, std::string("in use again"));
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
    }

    void whatWasAskedBeforeAModelIsAskedAgainIsNotHeldAgainstIt()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0, ofWise = 0;
        const Script down = answer(500, "{\"error\":{\"message\":\"down\"}}");
        Script late = down;
        late.insert(late.begin(), hold());
        server.setHandler([&](const SeenRequest& request) -> Script {
            if (protocolOf(request) != ModelProtocol::Anthropic || ++ofWise > 2)
                return saying(request, scriptedReply(++number));
            server.release(); // the first comes to nothing while the second is under way
            return late;
        });
        EngineDriver driver;
        driver.engine.create(
            sessionOf(driver.path(), server.serverPort(), 2000, "\"limits\": {\"tries\": 1, \"patience_s\": 0},\n"));
        const auto failed = [&] {
            const auto& asked = driver.run().modelRequests;
            return std::ranges::count_if(asked, [](const ModelRequest& modelRequest) {
                return modelRequest.model == "wise" && modelRequest.state == ModelRequestState::Failed;
            });
        };
        QTRY_COMPARE_WITH_TIMEOUT(failed(), 1, patience);
        QVERIFY(!driver.run().statisticsByModel.at("wise").pausedBecause.empty());
        QVERIFY(server.holding() > 0);
        const auto done = [&] {
            return obey(driver.engine, {{"do", "resume-model"}, {"name", "wise"}}).value("code", std::string("done"));
        };
        QCOMPARE(done(), std::string("done"));
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().statisticsByModel.at("wise").pausedBecause.empty(), patience);
        server.release();
        QTRY_COMPARE_WITH_TIMEOUT(failed(), 2, patience);
        QVERIFY(driver.run().statisticsByModel.at("wise").pausedBecause.empty());
        QTRY_VERIFY_WITH_TIMEOUT(ofWise > 2, patience);
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
    }

    void anAnswerForAnIslandThatWasTakenBackIsRecordedAndNotUsed()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        bool isSlow = false;
        server.setHandler([&](const SeenRequest& request) {
            Script script = saying(request, scriptedReply(++number));
            if (isSlow)
                script.insert(script.begin(), hold());
            return script;
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 2000));
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().evaluationsDone >= 6, patience);
        isSlow = true;
        driver.execute(commands::CloneIsland{{1}});
        const auto asked = [&driver] { return underWayFor(driver.run(), {5}).asked; };
        const auto isHeld = [&] {
            if (asked().empty())
                server.release(); // those of the other islands come first
            return !asked().empty() && server.holding() > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const ModelRequestId open = asked().front();
        const std::int64_t tokens = driver.run().tokensSpent;
        driver.execute(commands::UndoIslandCommand{});
        QVERIFY(driver.run().modelRequest(open)->unwanted);
        isSlow = false;
        QTRY_VERIFY_WITH_TIMEOUT(
            (server.release(), driver.run().modelRequest(open)->state == ModelRequestState::Complete), patience);
        const std::size_t until = driver.run().proposals.size();
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().proposals.size() > until + 4, patience);
        const RunState& run = driver.run();
        QVERIFY(!run.modelRequest(open)->answer.reply.isNull() && run.tokensSpent > tokens); // it was paid for
        QVERIFY(std::ranges::none_of(
            run.proposals, [open](const Proposal& proposal) { return proposal.modelRequest == open; }));
        QVERIFY(std::ranges::any_of(run.log, [](const LogLine& line) {
            return line.text.ends_with("to a prompt for island E is not used: the island was undone");
        }));
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.close());
        driver.engine.open(driver.path());
        driver.execute(commands::Run{}); // nor once it is opened again
        const std::size_t reopened = driver.run().proposals.size();
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().proposals.size() > reopened + 4, patience);
        QVERIFY(std::ranges::none_of(
            driver.run().proposals, [open](const Proposal& proposal) { return proposal.modelRequest == open; }));
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
    }

    void throughAnOutageTheMutatorStandsInUntilAModelAnswersAgain()
    {
        FakeServer server;
        QVERIFY(server.start());
        EngineDriver driver(
            {QStringLiteral("--delay-ms"), QStringLiteral("20")}); // the run's pace, by which it stands in
        int number = 0;
        bool isDown = false;
        const auto made = [&driver](const std::string& proposer) {
            const RunState& run = driver.run();
            return std::ranges::count_if(run.candidates, [&](const Candidate& candidate) {
                const Proposal* proposal = run.proposal(candidate.proposal);
                return proposal && proposal->proposer == proposer;
            });
        };
        server.setHandler([&](const SeenRequest& request) {
            isDown = number >= 20 && made("mutator") < 3;
            return isDown ? answer(500, "{\"error\":{\"message\":\"down\"}}")
                          : saying(request, scriptedReply(++number));
        });
        std::string words;
        std::set<IslandId> mutatorOnly;
        connect(&driver.engine, &Engine::published, &driver.engine, [&](const SnapshotPtr& snapshot) {
            for (const auto& [island, trouble] : snapshot->status.islandTrouble)
                if (trouble.starts_with("mutator only; "))
                    words = trouble;
            mutatorOnly.insert(snapshot->status.mutatorOnly.begin(), snapshot->status.mutatorOnly.end());
        });
        NewSession wanted
            = sessionOf(driver.path(), server.serverPort(), 120, "\"limits\": {\"tries\": 1, \"patience_s\": 1},\n");
        const IslandId waits{2}; // by its own mix
        wanted.steering[waits].proposers = {{"model:swift", 1}};
        driver.engine.create(wanted);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QVERIFY2(run.phase == events::Phase::Finished, driver.ended->status.trouble.c_str());
        QCOMPARE(run.evaluationsStarted, std::int64_t(120));
        QVERIFY(made("mutator") >= 3);
        QVERIFY(std::ranges::none_of(
            run.proposals, [&](const Proposal& each) { return each.island == waits && each.proposer == "mutator"; }));
        QVERIFY2(words.find("down") != std::string::npos || words.find("500") != std::string::npos, words.c_str());
        const auto logged = [&run](const std::string& text) {
            return std::ranges::any_of(
                run.log, [&](const LogLine& line) { return line.text.find(text) != std::string::npos; });
        };
        QVERIFY(logged("mutator only"));
        QCOMPARE(mutatorOnly, (std::set<IslandId>{{1}, {3}, {4}}));
        QVERIFY(driver.ended->status.mutatorOnly.empty());
        QVERIFY(logged("a model replies again"));
        // All that fail of it fail alike: it is said of each model once.
        const auto failed = std::ranges::count(run.modelRequests, ModelRequestState::Failed, &ModelRequest::state);
        std::map<std::string, int> said;
        for (const LogLine& each : run.log)
            if (each.text.find(" came: ") != std::string::npos)
                ++said[each.text];
        for (const auto& [line, times] : said)
            QVERIFY2(failed > 4 && times == 1,
                qPrintable(QStringLiteral("%1 of %2: %3").arg(times).arg(failed).arg(QString::fromStdString(line))));
        const Proposal* last = run.proposal(run.candidates.back().proposal);
        QVERIFY(last);
        QCOMPARE(last->proposer, std::string("model"));
    }

    void aModelThatHasAnsweredIsStillKnownToHaveWhenTheRunGoesOnInAnOutage_data()
    {
        QTest::addColumn<bool>("isMoved");
        QTest::newRow("at the same address") << false;
        QTest::newRow("at another address, where nobody ever answered") << true;
    }

    void aModelThatHasAnsweredIsStillKnownToHaveWhenTheRunGoesOnInAnOutage()
    {
        QFETCH(bool, isMoved);
        FakeServer server, other;
        QVERIFY(server.start() && other.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++number)); });
        const QByteArray limits = "\"limits\": {\"tries\": 1, \"patience_s\": 0.3},\n";
        EngineDriver first;
        first.engine.create(sessionOf(first.path(), server.serverPort(), 12, limits));
        QVERIFY(first.waitForEnd());
        QVERIFY(first.close());
        const auto down = [](const SeenRequest&) { return answer(500, "{\"error\":{\"message\":\"down\"}}"); };
        server.setHandler(down);
        other.setHandler(down);
        EngineDriver again({}, first.path());
        if (isMoved)
            sessionOf(first.path(), other.serverPort(), 0, limits); // writes the models file
        again.engine.open(first.path());
        again.execute(commands::SetBudget{{16, 0, 0, 0}});
        again.execute(commands::Run{});
        QVERIFY(again.waitForEnd());
        const RunState& run = again.ended->run;
        if (isMoved) {
            QCOMPARE(QString::fromStdString(again.ended->status.troubleCode), QStringLiteral("llm/no-model"));
            return;
        }
        QVERIFY2(run.phase == events::Phase::Finished, again.ended->status.trouble.c_str());
        QCOMPARE(run.evaluationsStarted, std::int64_t(16));
        const auto offered = [&run](std::int64_t place) {
            const auto of = std::ranges::find(run.candidates, place, &Candidate::evaluationNumber);
            return run.proposal((*of).proposal)->proposer;
        };
        QCOMPARE(offered(12), std::string("model"));
        for (const std::int64_t place : {13, 14, 15, 16})
            QCOMPARE(offered(place), std::string("mutator"));
    }

    void whenEveryModelIsDeadTheRunPausesWithTheReason()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) { return answer(500, "{\"error\":{\"message\":\"down\"}}"); });
        EngineDriver driver;
        driver.engine.create(
            sessionOf(driver.path(), server.serverPort(), 25, "\"limits\": {\"tries\": 1, \"patience_s\": 1},\n"));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("llm/no-model"));
        QVERIFY(driver.ended->status.trouble.find("down") != std::string::npos
            || driver.ended->status.trouble.find("500") != std::string::npos);
        QVERIFY(driver.ended->run.modelRequests.size() < 100); // it did not spin
        const std::size_t before = driver.ended->run.modelRequests.size();
        driver.execute(commands::Run{}); // a user's start lets every model try again
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.modelRequests.size() > before);
    }

    void ofAReplyThatHoldsManyProposalsTheFirstAreTakenAndTheOthersDroppedByName()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            QByteArray reply;
            for (int i = 0; i < 40; ++i)
                reply += scriptedReply(++number);
            return saying(request, reply);
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 5, "\"limits\": {\"in_flight\": 1},\n"));
        QVERIFY(driver.waitForEnd());
        int taken = 0, dropped = 0;
        for (const Proposal& proposal : driver.ended->run.proposals)
            if (proposal.modelRequest == ModelRequestId{1}) {
                const bool isDropped = proposal.rule == "reply/too-many-proposals";
                ++(isDropped ? dropped : taken);
                if (isDropped)
                    QVERIFY2(
                        proposal.detail.find("contains 40 proposals") != std::string::npos, proposal.detail.c_str());
            }
        QCOMPARE(taken, 16);
        QCOMPARE(dropped, 1);
    }

    void anIslandThatTheRunDoesNotHaveIsWarnedOf()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest& request) { return saying(request, scriptedReply(1)); });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 1,
            "\"islands\": {\"D\": {\"swift\": 1}, \"Z\": {\"swift\": 1}, \"*\": {\"wise\": 1}},\n"));
        QVERIFY(driver.waitForEnd());
        const auto& notices = driver.ended->status.notices;
        const std::string words = "the models file has weights for an island Z, but the run has the islands A to D";
        QCOMPARE(std::count(notices.begin(), notices.end(), words), 1);
        QCOMPARE(notices.size(), std::size_t(1));
    }
};

TILEWRIGHT_TEST(TestModels)
#include "test_models.moc"
