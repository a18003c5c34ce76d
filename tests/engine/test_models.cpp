// SPDX-License-Identifier: GPL-3.0-or-later
// Language models that drive a run: against a real engine, a fake node and model servers on real sockets. moc 6.4
// stumbles over g++ 12's <concepts>, which some of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/control/commands.h"
#include "core/engine/model_answer.h"
#include "core/engine/model_correspondent.h"
#include "core/model/conversation.h"
#include "core/model/unmade_island.h"
#include "core/store/session_reader.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/engine/person.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"
#include "tests/patience.h"
#endif

#include <algorithm>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

std::vector<std::string> programsMade(const RunState& run)
{
    std::vector<std::string> programs;
    for (const Candidate& candidate : run.candidates)
        if (!candidate.migrated)
            programs.push_back(candidate.program.hex());
    return programs;
}

std::int64_t countOf(const RunState& run, InquiryState state)
{
    return std::count_if(
        run.inquiries.begin(), run.inquiries.end(), [state](const Inquiry& inquiry) { return inquiry.state == state; });
}

ModelProtocol protocolOf(const SeenRequest& request)
{
    return request.target.ends_with("/messages") ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat;
}

Script saying(const SeenRequest& request, const QByteArray& text, int input = 100, int output = 50)
{
    Said said;
    said.pieces = {text.toStdString()};
    said.input = input;
    said.output = output;
    return stream(eventsOf(protocolOf(request), said));
}

/// So many requests have come, and for a while no other does.
bool isAskedNoMoreThan(FakeServer& server, std::size_t requests)
{
    const bool more = QTest::qWaitFor([&] { return server.seen().size() > requests; }, 1500);
    return !more && server.seen().size() == requests;
}

/// Every prompt that was written has its answer.
bool nothingIsAsked(EngineDriver& driver) { return countOf(driver.run(), InquiryState::Open) == 0; }

} // namespace

class TestModels : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    QTemporaryDir m_folder;

    NewSession sessionOf(const QString& path, int port, std::int64_t evaluations, const QByteArray& more = {})
    {
        const QString models = path + QStringLiteral(".models.json");
        writeModelsFile(models, port, more);
        NewSession session;
        session.path = path;
        session.pack = m_pack;
        session.settings.proposer = "model:" + models.toStdString();
        session.settings.budget.evaluations = evaluations;
        return session;
    }

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
        QCOMPARE(countOf(run, InquiryState::Open), std::int64_t(0));
        TokenUsage told;
        std::int64_t tries = 0;
        std::set<std::string> models;
        for (const Inquiry& inquiry : run.inquiries) {
            told += inquiry.answer.tokens;
            told.input -= inquiry.answer.guessed.input;
            told.outputVisible -= inquiry.answer.guessed.outputVisible;
            tries += inquiry.answer.tries;
            models.insert(inquiry.model);
            QCOMPARE(inquiry.bodies.empty(), inquiry.answer.tokens.total() == 0);
        }
        const LedgerSums sums = sumsOf(ledger);
        QVERIFY(sums.faults > 0);
        QCOMPARE(qint64(told.read()), sums.toldInput);
        QCOMPARE(qint64(told.written()), sums.toldOutput);
        QVERIFY(sums.requests <= tries);
        QCOMPARE(models, (std::set<std::string>{"swift", "wise"}));
        QVERIFY(run.arms.at("swift").asked > 0 && run.arms.at("wise").asked > 0);
        QVERIFY(run.arms.at("swift").usd > 0);
        // Every whole reply is in the record, with the proposals that it holds.
        std::set<InquiryId> read;
        for (const Proposal& proposal : run.proposals)
            read.insert(proposal.inquiry);
        for (const Inquiry& inquiry : run.inquiries)
            QVERIFY(inquiry.state != InquiryState::Complete || inquiry.asksForSummary() || read.contains(inquiry.id));
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
        const auto repair = std::find_if(
            run.inquiries.begin(), run.inquiries.end(), [](const Inquiry& i) { return i.repairOf.value != 0; });
        QVERIFY(repair != run.inquiries.end());
        QCOMPARE(repair->continues, run.proposal(repair->repairOf)->inquiry);
        QCOMPARE(repair->model, run.inquiry(repair->continues)->model);
        QCOMPARE(conversationOf(run, repair->id), (std::vector<InquiryId>{repair->continues, repair->id}));
        const nlohmann::json& messages
            = server.seen().at(static_cast<std::size_t>(repair->id.value - 1)).json["messages"];
        std::vector<std::string> roles;
        for (const nlohmann::json& message : messages)
            if (message["role"] != "system")
                roles.push_back(message["role"]);
        QCOMPARE(roles, (std::vector<std::string>{"user", "assistant", "user"}));
        QVERIFY(messages.dump().find("It stands above.") != std::string::npos);
        const auto mended = std::find_if(run.candidates.begin(), run.candidates.end(), [&](const Candidate& candidate) {
            const Proposal* proposal = run.proposal(candidate.proposal);
            return proposal && proposal->inquiry == repair->id;
        });
        QVERIFY(mended != run.candidates.end());
        QCOMPARE(turnsOf(run, mended->id).size(), std::size_t(2));
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
        QVERIFY(run.arms.at("wise").pausedBecause.find("1 failure: ") != std::string::npos);
        QVERIFY(run.arms.at("swift").pausedBecause.empty());
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
            const auto& arms = driver.run().arms;
            return arms.contains("wise") && !arms.at("wise").pausedBecause.empty();
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
        QCOMPARE(change->to, std::string("asked again"));
        driver.engine.stop();
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
            const auto& asked = driver.run().inquiries;
            return std::ranges::count_if(asked, [](const Inquiry& inquiry) {
                return inquiry.model == "wise" && inquiry.state == InquiryState::Failed;
            });
        };
        QTRY_COMPARE_WITH_TIMEOUT(failed(), 1, patience);
        QVERIFY(!driver.run().arms.at("wise").pausedBecause.empty());
        QVERIFY(server.holding() > 0);
        const auto done = [&] {
            return obey(driver.engine, {{"do", "resume-model"}, {"name", "wise"}}).value("code", std::string("done"));
        };
        QCOMPARE(done(), std::string("done"));
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().arms.at("wise").pausedBecause.empty(), patience);
        server.release();
        QTRY_COMPARE_WITH_TIMEOUT(failed(), 2, patience);
        QVERIFY(driver.run().arms.at("wise").pausedBecause.empty());
        QTRY_VERIFY_WITH_TIMEOUT(ofWise > 2, patience);
        driver.engine.stop();
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
        driver.engine.orderIslands(orders::CloneIsland{{1}});
        const auto asked = [&driver] { return underWayFor(driver.run(), {5}).asked; };
        const auto isHeld = [&] {
            if (asked().empty())
                server.release(); // those of the other islands come first
            return !asked().empty() && server.holding() > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const InquiryId open = asked().front();
        const std::int64_t tokens = driver.run().tokensSpent;
        driver.engine.orderIslands(orders::UndoOrder{});
        QVERIFY(driver.run().inquiry(open)->unwanted);
        isSlow = false;
        QTRY_VERIFY_WITH_TIMEOUT(
            (server.release(), driver.run().inquiry(open)->state == InquiryState::Complete), patience);
        const std::size_t until = driver.run().proposals.size();
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().proposals.size() > until + 4, patience);
        const RunState& run = driver.run();
        QVERIFY(!run.inquiry(open)->answer.reply.isNull() && run.tokensSpent > tokens); // it was paid for
        QVERIFY(
            std::ranges::none_of(run.proposals, [open](const Proposal& proposal) { return proposal.inquiry == open; }));
        QVERIFY(std::ranges::any_of(run.log, [](const LogLine& line) {
            return line.text.ends_with("to a prompt for island E is not used: the island was taken back");
        }));
        driver.engine.stop();
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.close());
        driver.engine.open(driver.path());
        driver.engine.run(); // nor once it is opened again
        const std::size_t reopened = driver.run().proposals.size();
        QTRY_VERIFY_WITH_TIMEOUT(driver.run().proposals.size() > reopened + 4, patience);
        QVERIFY(std::ranges::none_of(
            driver.run().proposals, [open](const Proposal& proposal) { return proposal.inquiry == open; }));
        driver.engine.stop();
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
        QVERIFY(logged("a model answers again"));
        // All that fail of it fail alike: it is said of each model once.
        const auto failed = std::ranges::count(run.inquiries, InquiryState::Failed, &Inquiry::state);
        std::map<std::string, int> said;
        for (const LogLine& each : run.log)
            if (each.text.find(" did not come: ") != std::string::npos)
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
        again.engine.setBudget({16, 0, 0, 0});
        again.engine.run();
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
        QVERIFY(driver.ended->run.inquiries.size() < 100); // it did not spin
        const std::size_t before = driver.ended->run.inquiries.size();
        driver.engine.run(); // a person's start lets every model try again
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.inquiries.size() > before);
    }

    void aTokenBudgetIsNeverPassedAndPausesTheRun()
    {
        constexpr std::int64_t tokens = 40'000;
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        // Each answer uses a good part of its worst case: a few bring the run to where the next could pass the budget.
        server.setHandler(
            [&](const SeenRequest& request) { return saying(request, scriptedReply(++number), 2'000, 1'000); });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0);
        session.settings.budget.tokens = tokens; // a few requests of some 10 000 at worst
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("budget/tokens"));
        QVERIFY(run.tokensSpent > 0 && run.tokensSpent <= tokens);
        std::int64_t most = 0;
        for (const Inquiry& inquiry : run.inquiries)
            most = std::max(most, inquiry.mostTokens);
        QVERIFY2(run.tokensSpent + 2 * most > tokens, "it stopped long before the budget was used");
        QCOMPARE(driver.ended->status.reservedTokens, std::int64_t(0));
        QCOMPARE(run.doubtfulTokens, std::int64_t(0)); // the server told everything
        QVERIFY(driver.ended->status.needsBudget);
        QCOMPARE(run.phaseCode, std::string("budget/tokens"));
        const std::size_t before = run.inquiries.size();
        Budget more = run.settings.budget;
        more.tokens *= 2;
        driver.engine.run(); // with the same budget it pauses again, after shorter prompts that fit, if there are any
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->status.needsBudget);
        QVERIFY(driver.ended->run.tokensSpent <= tokens);
        QVERIFY(driver.ended->run.inquiries.size() <= before + driver.ended->run.islands.size());
        const std::size_t paused = driver.ended->run.inquiries.size();
        driver.engine.setBudget(more);
        QVERIFY(!driver.engine.snapshot()->status.needsBudget);
        driver.engine.run();
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.inquiries.size() > paused);
    }

    void nearTheEndOfTheMoneyTheCheaperModelIsAskedAndThePauseTellsTheFigures()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler(
            [&](const SeenRequest& request) { return saying(request, scriptedReply(++number), 4'000, 4'000); });
        EngineDriver driver({}, m_folder.filePath(QStringLiteral("cheaper.tilewright")));
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"in_flight\": 1},\n");
        makeWiseCheap(driver.path() + QStringLiteral(".models.json"));
        session.settings.budget.costMicroUsd = 90'000;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, std::string("budget/cost"));
        QVERIFY(run.costMicroUsd <= 90'000);
        std::int64_t spent = 0, cheapest = 90'000;
        for (const Inquiry& inquiry : run.inquiries) {
            QVERIFY2(spent + inquiry.mostMicroUsd <= 90'000, "it left though it could pass the budget");
            spent += *inquiry.answer.costMicroUsd;
            if (inquiry.model == "wise")
                cheapest = std::min(cheapest, inquiry.mostMicroUsd);
        }
        QCOMPARE(run.inquiries[run.inquiries.size() - 1].model, std::string("wise"));
        QVERIFY2(spent + 2 * cheapest > 90'000, "it paused though the cheaper model still fitted");
        const std::string& trouble = driver.ended->status.trouble;
        QVERIFY2(trouble.starts_with("the money budget does not cover another request: it could cost 0.00")
                && trouble.find(" of 0.0900 $ are left") != std::string::npos
                && trouble.find("that is wise, which needs the least") != std::string::npos,
            trouble.c_str());
        const auto& notices = driver.ended->status.notices;
        QCOMPARE(
            std::count_if(notices.begin(), notices.end(),
                [](const std::string& words) { return words.find(": wise is asked instead") != std::string::npos; }),
            1);
        QVERIFY(driver.close());
        EngineDriver replayed;
        NewSession again;
        again.path = replayed.path();
        again.pack = m_pack;
        again.settings.proposer = "replay:" + driver.path().toStdString();
        replayed.engine.create(again);
        QVERIFY(replayed.waitForEnd());
        QCOMPARE(programsMade(replayed.ended->run), programsMade(run));
    }

    void whoeverFitsIntoWhatIsLeftIsAskedAndElseThePauseNamesTheBudget()
    {
        ModelsFile file;
        file.endpoints = {{}};
        for (const auto& [name, output, price] :
            {std::tuple{"long", 8'000, 1.0}, std::tuple{"dear", 1'000, 100.0}, std::tuple{"modest", 4'000, 0.5}}) {
            ModelSpec spec;
            spec.name = name;
            spec.maxOutputTokens = output;
            spec.price = TokenPrice{price, price, price, price, "2026-11-21", ""};
            file.models.push_back(spec);
        }
        RunState state;
        Question question;
        question.system = std::string(400, 's');
        question.user = std::string(4'000, 'u'); // some 1 700 tokens at worst
        const auto asked = [&] {
            ModelCorrespondent models(file);
            Mailbox mailbox;
            mailbox.state = [&]() -> const RunState& { return state; };
            mailbox.noted = [](const std::string&, const std::string&) {};
            mailbox.moved = [] {};
            models.open(mailbox);
            std::set<std::string> names;
            for (question.ordinal = 0; question.ordinal < 40; ++question.ordinal) {
                const auto addressee = models.reserve(question);
                names.insert(addressee ? addressee->model : addressee.error().code + ": " + addressee.error().text);
            }
            return names;
        };
        using Names = std::set<std::string>;
        QCOMPARE(asked(), (Names{"dear", "long", "modest"}));
        state.settings.budget.tokens = 100'000;
        state.tokensSpent = 93'000;
        QCOMPARE(asked(), (Names{"dear", "modest"}));
        state.tokensSpent = 96'000;
        QCOMPARE(asked(), Names{"dear"});
        state.settings.budget.costMicroUsd = 100'000; // dear could cost 0.27 $
        const Names none = asked();
        QCOMPARE(none.size(), std::size_t(1));
        QVERIFY2(none.begin()->starts_with("budget/cost: ") || none.begin()->starts_with("budget/tokens: "),
            none.begin()->c_str());
        state.tokensSpent = 0;
        QCOMPARE(asked(), (Names{"long", "modest"}));
        state.tokensSpent = 99'000;
        const Names tokens = asked();
        QCOMPARE(tokens.size(), std::size_t(1));
        QVERIFY2(
            tokens.begin()->starts_with("budget/tokens: the token budget does not cover another request: it could use ")
                && tokens.begin()->find(" tokens, and 1000 of 100000 are left; that is dear, which needs the least")
                    != std::string::npos,
            tokens.begin()->c_str());
        // Whoever fits and rests is waited for.
        state.tokensSpent = 93'500;
        state.arms["modest"].restsUntilUtc
            = QDateTime::currentDateTimeUtc().addSecs(3600).toString(Qt::ISODateWithMs).toStdString();
        const Names waiting = asked();
        QVERIFY2(waiting.begin()->starts_with("wait/models: "), waiting.begin()->c_str());
        state.arms["modest"].restsUntilUtc.clear();
        QCOMPARE(asked(), Names{"modest"});
        file.islands["A"]["long"] = 1; // on its island only this one, which does not fit
        question.island = {1};
        QCOMPARE(asked(), Names{"modest"});
    }

    void requestsThatAreNeverAnsweredCountAsTheMostTheyCouldUse()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) { return Script{close()}; });
        EngineDriver driver;
        NewSession session
            = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"tries\": 3, \"patience_s\": 600},\n");
        session.settings.budget.tokens = 60'000;
        session.settings.budget.costMicroUsd = 1'000'000;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, std::string("budget/tokens"));
        QVERIFY2(driver.ended->status.trouble.find("for requests whose use nobody told") != std::string::npos,
            driver.ended->status.trouble.c_str());
        std::int64_t tries = 0, tokens = 0, microUsd = 0, least = 60'000;
        for (const Inquiry& inquiry : run.inquiries) {
            tries += inquiry.answer.untold;
            tokens += inquiry.answer.untold * inquiry.mostTokens;
            microUsd += inquiry.answer.untold * inquiry.mostMicroUsd;
            least = std::min(least, inquiry.mostTokens);
        }
        QCOMPARE(tries, static_cast<std::int64_t>(server.seen().size()));
        QVERIFY(tries > 0 && tries * least <= 60'000);
        QCOMPARE(run.tokensSpent, std::int64_t(0));
        QCOMPARE(run.doubtfulTokens, tokens);
        QCOMPARE(run.doubtfulMicroUsd, microUsd);
        QVERIFY(run.doubtfulTokens <= 60'000);
    }

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
        QCOMPARE(recorded->inquiry({1})->tries, 3);
        QCOMPARE(recorded->inquiry({1})->state, InquiryState::Open);
        const std::int64_t most = recorded->inquiry({1})->mostTokens;
        driver.engine.stop();
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.inquiry({1})->answer.untold, 3);
        QCOMPARE(driver.ended->run.doubtfulTokens, 3 * most);
    }

    void theWallTimeIsKeptThoughRepliesDoNotCome()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) { return Script{hold()}; });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"in_flight\": 2},\n");
        session.settings.budget.wallSeconds = 1000;
        std::string words;
        connect(&driver.engine, &Engine::published, &driver.engine, [&](const SnapshotPtr& snapshot) {
            if (snapshot->status.waitingCode == "replies")
                words = snapshot->status.waiting;
        });
        driver.engine.setReplyGrace(std::chrono::milliseconds(1500));
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 2; }, patience));
        session.settings.budget.wallSeconds = 0.1; // gone by then
        driver.engine.setBudget(session.settings.budget);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.phaseReason, std::string("wall time used up"));
        QVERIFY(driver.ended->status.needsBudget);
        QVERIFY2(words.starts_with("waiting for 2 replies, at most "), words.c_str());
        QCOMPARE(countOf(run, InquiryState::Open), std::int64_t(0));
        QCOMPARE(run.inquiry({1})->answer.rule, std::string("llm/cancelled"));
        QCOMPARE(run.inquiry({1})->answer.untold, 1);
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
            return state && countOf(*state, InquiryState::Open) == 3;
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
        QCOMPARE(countOf(resumed.run(), InquiryState::Open), std::int64_t(3));
        resumed.engine.run();
        QTRY_COMPARE_WITH_TIMEOUT(
            resumed.run().lost, std::int64_t(3), patience); // once the node told that its device is here
        QVERIFY(resumed.waitForEnd());
        const RunState& run = resumed.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(12));
        QCOMPARE(run.unpriced, std::int64_t(3));
        QCOMPARE(run.doubtfulTokens,
            std::accumulate(run.inquiries.begin(), run.inquiries.end(), std::int64_t(0),
                [](std::int64_t sum, const Inquiry& i) { return sum + i.answer.untold * i.mostTokens; }));
        QVERIFY(run.doubtfulTokens > 0);
        QCOMPARE(countOf(run, InquiryState::Open), std::int64_t(0));
        const auto repeats = std::count_if(
            run.inquiries.begin(), run.inquiries.end(), [](const Inquiry& i) { return i.repeats.value != 0; });
        QCOMPARE(repeats, std::ptrdiff_t(3));
        std::set<std::string> programs;
        for (const std::string& program : programsMade(run))
            QVERIFY(programs.insert(program).second); // nothing is doubled
        server.release();
        driver.engine.stop();
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
        driver.engine.pause(); // a pause waits for what was paid for
        QTest::qWait(100);
        QCOMPARE(driver.ends, 0);
        driver.engine.stop();
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QCOMPARE(countOf(driver.ended->run, InquiryState::Failed), std::int64_t(2));
        QCOMPARE(driver.ended->run.inquiry({1})->answer.rule, std::string("llm/cancelled"));
        QCOMPARE(driver.ended->run.unpriced, std::int64_t(2));
        mute = false;
        driver.engine.run();
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(6));
        for (const std::int64_t id : {1, 2})
            QVERIFY(std::any_of(run.inquiries.begin(), run.inquiries.end(), [id](const Inquiry& inquiry) {
                return inquiry.repeats == InquiryId{id} && inquiry.state == InquiryState::Complete;
            }));
    }

    void ourOwnLimitsAMinuteHoldTheRunBackAndTheIslandsSaySo()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++number)); });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 20);
        QFile file(driver.path() + QStringLiteral(".models.json"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray models = file.readAll();
        models.replace("\"template\": \"other\"", "\"template\": \"other\", \"requests_per_minute\": 2");
        file.resize(0);
        file.seek(0);
        file.write(models);
        file.close();
        driver.engine.create(session);
        const auto held = [&] { return driver.latest && driver.latest->status.islandTrouble.size() == 4; };
        QVERIFY(QTest::qWaitFor(held, patience));
        QVERIFY2(driver.latest->status.islandTrouble.begin()->second.find("keeps to 2 requests a minute, next in ")
                != std::string::npos,
            driver.latest->status.islandTrouble.begin()->second.c_str());
        // Nothing waits with a prompt that ages.
        QVERIFY(QTest::qWaitFor([&] { return held() && nothingIsAsked(driver); }, patience));
        QVERIFY(isAskedNoMoreThan(server, 4)); // two of each endpoint
        QCOMPARE(driver.run().phase, events::Phase::Running);
        driver.engine.stop();
        QVERIFY(driver.waitForEnd());
    }

    void aLimitThatTheServersTellHoldsTheRunBackAndTheIslandsSaySo()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            Script script = saying(request, scriptedReply(++number));
            script.front() = send(head(200,
                {"Content-Type: text/event-stream", "x-ratelimit-limit-requests: 50",
                    "x-ratelimit-remaining-requests: 0", "x-ratelimit-reset-requests: 1m30s"}));
            return script;
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 20, "\"limits\": {\"in_flight\": 2},\n"));
        const auto held = [&] { // both endpoints
            if (!driver.latest || driver.latest->status.models.size() != 2)
                return false;
            const auto& models = driver.latest->status.models;
            return driver.latest->status.islandTrouble.size() == 4
                && std::all_of(models.begin(), models.end(),
                    [](const ModelStatus& model) { return model.condition == ModelCondition::Waiting; });
        };
        QVERIFY(QTest::qWaitFor(held, patience));
        QVERIFY2(
            driver.latest->status.islandTrouble.begin()->second.find("the server has 0 of 50 requests left, next in ")
                != std::string::npos,
            driver.latest->status.islandTrouble.begin()->second.c_str());
        // What was sent before the first answer may still be under way.
        QVERIFY(QTest::qWaitFor([&] { return held() && nothingIsAsked(driver); }, patience));
        QVERIFY(isAskedNoMoreThan(server, server.seen().size()));
        QCOMPARE(driver.run().phase, events::Phase::Running);
        driver.engine.stop();
        QVERIFY(driver.waitForEnd());
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
            if (proposal.inquiry == InquiryId{1}) {
                const bool isDropped = proposal.rule == "reply/too-many-proposals";
                ++(isDropped ? dropped : taken);
                if (isDropped)
                    QVERIFY2(proposal.detail.find("holds 40 proposals") != std::string::npos, proposal.detail.c_str());
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
        for (const Inquiry& inquiry : run.inquiries)
            QVERIFY(!inquiry.asksForSummary());
        const auto& notices = driver.ended->status.notices;
        QCOMPARE(std::count_if(notices.begin(), notices.end(),
                     [](const std::string& words) { return words.starts_with("no summary is asked for: "); }),
            1);
    }

    void fruitlessRepliesPauseTheRunInsteadOfFinishingIt()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest& request) { return saying(request, "I have no idea.\n"); });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 50));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("proposer/fruitless"));
        // Sixteen questions of three turns each, and as many that were on their way then.
        QVERIFY(driver.ended->run.inquiries.size() <= 2 * 16 * 3);
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
        const Inquiry& last = run.inquiries[run.inquiries.size() - 1];
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
            [](const std::string& words) { return words.find("is not taken: it has ") != std::string::npos; }));
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
            ModelCorrespondent models(file);
            Mailbox mailbox;
            mailbox.state = [&]() -> const RunState& { return state; };
            models.open(mailbox);
            return models.promptRoom({1});
        };
        QCOMPARE(roomOf().model, std::string("small"));
        QVERIFY(roomOf().tokens <= 20'000 && roomOf().tokens > 19'000);
        QCOMPARE(roomOf().tokensPerByte, 0.0); // nobody has answered yet
        state.arms["small"].pausedBecause = "no money";
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
            PromptPreview shown;
            const auto connection = QObject::connect(&driver.engine, &Engine::previewReady, &driver.engine,
                [&](quint64, const PromptPreview& preview) { shown = preview; });
            PromptDraft draft;
            draft.name = "exploit";
            draft.text = "Make it faster.\n{{code}}\n";
            driver.engine.previewPrompt(1, draft);
            QObject::disconnect(connection);
            return shown;
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
        constexpr int context = 10'400;
        EngineDriver driver;
        driver.engine.create(narrowSession(driver.path(), server.serverPort(), 12, context));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(12));
        auto reader = SessionReader::open(driver.path().toStdString());
        std::size_t trimmed = 0;
        for (std::size_t i = 0; i < run.inquiries.size(); ++i) {
            const Inquiry& inquiry = run.inquiries[i];
            const std::string text = (*reader)->text(inquiry.prompt).value();
            const std::size_t bytes = text.size() + (*reader)->text(inquiry.system).value().size();
            if (i == 0)
                QVERIFY(static_cast<double>(bytes) * 0.3 <= context - 4000);
            QCOMPARE(inquiry.leftOut.empty(), text.find("Not shown, as there is no room") == std::string::npos);
            trimmed += inquiry.leftOut.empty() ? 0 : 1;
            for (const std::string& words : inquiry.leftOut)
                QVERIFY2(text.find(words) != std::string::npos, words.c_str());
        }
        QVERIFY(trimmed > 0);
        // Once the answers told 0.4 tokens a byte, prompts that would fit at 0.3 are too long.
        const Inquiry& last = run.inquiries[run.inquiries.size() - 1];
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
        QCOMPARE(driver.ended->run.inquiries.size(), std::size_t(0));
        QVERIFY(server.seen().empty());
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
        Inquiry inquiry;
        inquiry.model = "m";
        inquiry.bodies = {{1, 200, "openai-chat", {}}};
        const Response whole = responseAfterLoss(read, inquiry);
        QCOMPARE(whole.answer.state, InquiryState::Complete);
        QCOMPARE(*whole.answer.costMicroUsd, std::int64_t(250'000));
        QCOMPARE(whole.answer.untold, 0);
        QVERIFY(whole.answer.rule.empty() && whole.text == "text");
        inquiry.bodies.push_back({2, 200, "openai-chat", {}});
        QVERIFY(!responseAfterLoss(read, inquiry).answer.costMicroUsd); // a try before cost nobody knows what
        read.state = ReplyState::Incomplete;
        read.usageSource = UsageSource::Estimated;
        const Response broken = responseAfterLoss(read, inquiry);
        QCOMPARE(broken.answer.state, InquiryState::Incomplete);
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
            QCOMPARE(driver.run().arms.at("swift").refusedParameters, std::vector<std::string>{"stream_options"});
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        const std::size_t until = server.seen().size();
        driver.engine.setBudget({12, 0, 0, 0});
        driver.engine.run();
        QVERIFY(driver.waitForEnd());
        QCOMPARE(refusals, 1);
        int asked = 0;
        for (std::size_t i = until; i < server.seen().size(); ++i)
            asked += protocolOf(server.seen()[i]) == ModelProtocol::OpenAiChat ? 1 : 0;
        QVERIFY(asked > 0);
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
        const std::size_t until = driver.run().inquiries.size();
        orders::SteerIsland warm{{2}, {}};
        warm.steering.sampling = 0.25;
        driver.engine.orderIslands(warm);
        driver.engine.setBudget({16, 0, 0, 0});
        driver.engine.run();
        QVERIFY(driver.waitForEnd(120'000));
        const RunState run = driver.run();
        QCOMPARE(server.seen().size(), run.inquiries.size()); // each was sent once, in its order
        int warmed = 0;
        for (std::size_t i = 0; i < run.inquiries.size(); ++i) {
            const nlohmann::json& sent = server.seen()[i].json;
            const bool isWarm = i >= until && run.inquiries[i].island == IslandId{2};
            warmed += isWarm ? 1 : 0;
            QCOMPARE(sent.contains("temperature"), isWarm);
            if (isWarm)
                QCOMPARE(sent.at("temperature").get<double>(), 0.25);
        }
        QVERIFY(warmed > 0);
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
