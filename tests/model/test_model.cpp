// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/model/islands/island_change.h"
#include "core/model/requests/reply_outcome.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <set>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

const fs::path gemm = fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-fp32-cpu";

QString codeAndField(const Error& error)
{
    return QString::fromStdString(
        error.code + " " + (error.evidence.is_object() ? error.evidence.value("field", std::string()) : std::string()));
}

Event eventOf(std::int64_t seq, EventBody body) { return {{1}, seq, "2026-01-01T00:00:00.000Z", std::move(body)}; }

Candidate candidate(std::int64_t id, const std::string& program)
{
    Candidate c;
    c.id = {id};
    c.island = {1};
    c.program = sha256(program);
    return c;
}

/// A run with one island, the seed and one better child.
std::vector<Event> smallRun()
{
    RunSettings settings;
    settings.taskName = "t";
    Evaluation evaluation;
    evaluation.id = {1};
    evaluation.candidate = {2};
    evaluation.result.outcome = Outcome::Ranked;
    evaluation.result.purpose = Purpose::Confirm;
    evaluation.result.verdict = Verdict::Better;
    evaluation.result.score = Interval{2, 1.9, 2.1};
    Proposal proposal;
    proposal.id = {1};
    proposal.island = {1};
    proposal.ordinal = 1;
    proposal.proposer = "mutator";
    Candidate child = candidate(2, "child");
    child.proposal = {1};
    std::vector<EventBody> bodies{events::RunCreated{settings},
        events::IslandCreated{{1}, "Tiling", "evolve", Focus::Explore}, events::CandidateMade{candidate(1, "seed")},
        events::Proposed{proposal}, events::CandidateMade{child}, events::EvaluationStarted{{2}},
        events::Evaluated{evaluation, 5}, events::Admitted{{2}, {1}, "0,1", true, {}}, events::IncumbentChanged{{2}}};
    std::vector<Event> run;
    for (EventBody& body : bodies)
        run.push_back(eventOf(static_cast<std::int64_t>(run.size()) + 1, std::move(body)));
    return run;
}

RunState stateAfter(const std::vector<Event>& run)
{
    RunState state;
    for (const Event& event : run)
        if (auto applied = apply(state, event); !applied)
            qFatal("%s", applied.error().text.c_str());
    return state;
}

} // namespace

class TestModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProposalThatIsOldHasNoneOfTheRareFields()
    {
        const auto read = eventFromJson(
            "proposed", {{"id", 3}, {"island", 1}, {"proposer", "mutator"}, {"focus", "explore"}, {"state", "open"}});
        QVERIFY(read.has_value());
        const Proposal& proposal = std::get<events::Proposed>(*read).proposal;
        QCOMPARE(proposal.attempt, 1);
        QCOMPARE(proposal.part, 0);
        QVERIFY(!proposal.modelRequest && !proposal.repairOf);
        QVERIFY(proposal.repairs.empty() && proposal.finish.empty());
        const auto budget = eventFromJson("budget_changed", {{"evaluations", 5}, {"wall_s", 2.0}});
        QVERIFY(budget.has_value());
        QVERIFY((std::get<events::BudgetChanged>(*budget).budget == Budget{5, 2.0, 0, 0}));
    }

    void whatCameFromOutsideComesBackFromItsJson()
    {
        ModelRequest modelRequest;
        modelRequest.id = {4};
        modelRequest.proposer = "manual";
        modelRequest.place = "0004";
        modelRequest.island = {2};
        modelRequest.ordinal = 9;
        modelRequest.focus = Focus::Repair;
        modelRequest.parents = {CandidateId{1}, CandidateId{2}};
        modelRequest.repairOf = {7};
        modelRequest.attempt = 2;
        modelRequest.promptName = "repair";
        modelRequest.promptVersion = sha256("v");
        modelRequest.system = sha256("s");
        modelRequest.prompt = sha256("p");
        modelRequest.askedNs = 11;
        ModelRequestAnswer answer;
        answer.state = ModelRequestState::Incomplete;
        answer.reply = sha256("r");
        answer.finish = "length";
        answer.model = "m";
        answer.tokens = {1, 2, 3, 4, 5};
        answer.guessed = {0, 0, 0, 1, 0};
        answer.costMicroUsd = 0;
        answer.tries = 3;
        answer.rule = "llm/incomplete";
        answer.detail = "d";
        modelRequest.model = "m";
        modelRequest.continues = {2};
        modelRequest.repeats = {3};
        modelRequest.leftOut = {"2 of 3 inspirations"};
        ModelStatistics statistics;
        statistics.asked = 3;
        statistics.reward = 1.25;
        statistics.usd = 0.5;
        statistics.priced = 2;
        statistics.failedCalls = 4;
        statistics.failuresInRow = 1;
        statistics.lastError = "e";
        statistics.restsUntilUtc = "2026-11-21T13:00:00.000Z";
        Proposal proposal;
        proposal.whole = true;
        proposal.id = {8};
        proposal.proposer = "manual";
        proposal.modelRequest = {4};
        proposal.part = 2;
        proposal.finish = "stop";
        proposal.repairOf = {7};
        proposal.attempt = 3;
        proposal.repairs = {"hunk 1: mended"};
        Candidate mended = candidate(3, "mended");
        mended.repairs = {"hunk 1: mended"};
        for (const EventBody& body : std::vector<EventBody>{events::Asked{modelRequest},
                 events::Answered{{4}, answer, 12}, events::Proposed{proposal}, events::CandidateMade{mended},
                 events::ProposalRefused{{8}, ProposalState::Duplicate, "duplicate", "c-0001", {"hunk 1: mended"}},
                 events::BodyArrived{{4}, {2, 200, "anthropic", sha256("b")}},
                 events::ModelStatisticsChanged{"m", statistics},
                 events::InsightsWritten{{3, "m", 50, sha256("i"), {4}}}}) {
            const auto back = eventFromJson(kindOf(body), toJson(body));
            QVERIFY2(back.has_value(), back ? "" : back.error().text.c_str());
            QVERIFY2(*back == body, kindOf(body).c_str());
        }
        answer.costMicroUsd.reset(); // unknown stays unknown
        const EventBody unpriced = events::Answered{{4}, answer, 12};
        QVERIFY(eventFromJson("answered", toJson(unpriced)) == unpriced);
    }

    void tokensOfTheFirstSessionsAreStillRead()
    {
        QCOMPARE(usageFromJson({{"input", 3}, {"output", 4}, {"reasoning", 1}}), (TokenUsage{3, 0, 0, 4, 1}));
        QCOMPARE(usageFromJson({{"input", -3}, {"output_visible", "x"}}), TokenUsage{});
        QCOMPARE(usageFromJson(nlohmann::json()), TokenUsage{});
    }

    void aModelRequestHoldsItsOrdinalBeforeItIsAnswered()
    {
        std::vector<Event> run = smallRun();
        ModelRequest modelRequest;
        modelRequest.id = {1};
        modelRequest.proposer = "manual";
        modelRequest.island = {1};
        modelRequest.ordinal = 2;
        run.push_back(eventOf(10, events::Asked{modelRequest}));
        RunState state = stateAfter(run);
        QCOMPARE(state.islands[0].proposals, std::int64_t(2));
        QCOMPARE(state.modelRequest({1})->state, ModelRequestState::Open);
        QVERIFY(!apply(state, eventOf(11, events::Answered{{2}, {}, 3})).has_value());
        ModelRequestAnswer answer;
        answer.tokens = {10, 0, 0, 5, 0};
        QVERIFY(apply(state, eventOf(11, events::Answered{{1}, answer, 3})).has_value());
        QCOMPARE(state.modelRequest({1})->state, ModelRequestState::Complete);
        QCOMPARE(state.tokensSpent, std::int64_t(15));
        QCOMPARE(state.costMicroUsd, std::int64_t(0));
        QCOMPARE(state.unpriced, std::int64_t(0)); // a user costs nothing
        modelRequest.id = {2};
        modelRequest.proposer = "model";
        QVERIFY(apply(state, eventOf(12, events::Asked{modelRequest})).has_value());
        QVERIFY(apply(state, eventOf(13, events::Answered{{2}, answer, 3})).has_value());
        QCOMPARE(state.unpriced, std::int64_t(1));
    }

    void anOutageIsToldOnceThoughAnswersComeOutOfTurn()
    {
        RunState state = stateAfter(smallRun());
        const auto asked = [&](std::int64_t id, std::int64_t at, const std::string& model) {
            ModelRequest modelRequest;
            modelRequest.id = {id};
            modelRequest.proposer = "model";
            modelRequest.model = model;
            modelRequest.askedNs = at;
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, events::Asked{modelRequest})).has_value());
        };
        const auto linesAfter = [&](std::int64_t id, std::int64_t at, const std::string& detail) {
            ModelRequestAnswer answer;
            answer.state = detail.empty() ? ModelRequestState::Complete : ModelRequestState::Failed;
            answer.rule = detail.empty() ? "" : "llm/server";
            answer.detail = detail;
            const auto before = state.log.size();
            [&] {
                QVERIFY(apply(state, eventOf(state.lastSeq + 1, events::Answered{{id}, answer, at})).has_value());
            }();
            return state.log.size() - before;
        };
        for (const std::int64_t id : {1, 2, 3, 4})
            asked(id, id, "wise");
        asked(5, 5, "swift");
        QCOMPARE(linesAfter(2, 10, "down"), std::size_t(1));
        QCOMPARE(linesAfter(3, 11, ""), std::size_t(0)); // it was put before anybody knew
        QCOMPARE(linesAfter(1, 12, "down"), std::size_t(0));
        QCOMPARE(linesAfter(4, 13, "too slow"), std::size_t(1));
        QCOMPARE(linesAfter(5, 14, "down"), std::size_t(1)); // of another
        asked(6, 15, "wise");
        asked(7, 16, "wise");
        QCOMPARE(linesAfter(6, 17, ""), std::size_t(0));
        QCOMPARE(linesAfter(7, 18, "down"), std::size_t(1)); // a new one
    }

    void whatNobodyToldCountsAsTheWorstCaseOfEachTry()
    {
        std::vector<Event> run = smallRun();
        ModelRequest modelRequest;
        modelRequest.proposer = "model";
        modelRequest.mostTokens = 1000;
        modelRequest.mostMicroUsd = 500;
        for (std::int64_t id = 1; id <= 4; ++id) {
            modelRequest.id = {id};
            run.push_back(eventOf(9 + id, events::Asked{modelRequest}));
        }
        RunState state = stateAfter(run);
        const auto answered = [&](ModelRequestId id, const ModelRequestAnswer& answer) {
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, events::Answered{id, answer, 3})).has_value());
        };
        ModelRequestAnswer told;
        told.tokens = {10, 0, 0, 5, 0};
        told.costMicroUsd = 7;
        told.tries = 3; // the first two were refused with a status of their own
        answered({1}, told);
        QCOMPARE(state.doubtfulTokens, std::int64_t(0));
        QCOMPARE(state.doubtfulMicroUsd, std::int64_t(0));
        QCOMPARE(state.unpriced, std::int64_t(0));
        ModelRequestAnswer silent;
        silent.state = ModelRequestState::Failed;
        silent.tries = silent.untold = 3;
        answered({2}, silent);
        QCOMPARE(state.doubtfulTokens, std::int64_t(3000));
        QCOMPARE(state.doubtfulMicroUsd, std::int64_t(1500));
        ModelRequestAnswer broken = silent;
        broken.tries = broken.untold = 1;
        broken.tokens = broken.guessed = {60, 0, 0, 40, 0};
        broken.costMicroUsd = 200;
        answered({3}, broken);
        QCOMPARE(state.doubtfulTokens, std::int64_t(3900));
        QCOMPARE(state.doubtfulMicroUsd, std::int64_t(1800));
        QCOMPARE(state.unpriced, std::int64_t(2));
        ModelRequestAnswer late = told;
        late.untold = 1; // one try was never answered, the next one told all of its use
        answered({4}, late);
        QCOMPARE(state.doubtfulTokens, std::int64_t(4900));
        QCOMPARE(state.doubtfulMicroUsd, std::int64_t(2300));
        QCOMPARE(state.costMicroUsd, std::int64_t(214));
    }

    void answersOfTheFirstSessionsAreDoubtedWhereNothingWasTold()
    {
        const auto untoldIn = [](const nlohmann::json& answer) {
            const auto event = eventFromJson("answered", {{"id", 1}, {"answer", answer}});
            return event ? std::get<events::Answered>(*event).answer.untold : -1;
        };
        QCOMPARE(untoldIn({{"state", "failed"}, {"tries", 2}, {"cost_micro_usd", nullptr}}), 2);
        QCOMPARE(untoldIn({{"state", "failed"}, {"tries", 1}, {"cost_micro_usd", 5}, {"rule", "llm/lost"}}), 1);
        QCOMPARE(untoldIn({{"state", "complete"}, {"tokens", {{"input", 4}}}, {"cost_micro_usd", nullptr}}), 0);
        QCOMPARE(untoldIn({{"state", "complete"}, {"cost_micro_usd", 0}}), 0);
        QCOMPARE(untoldIn({{"state", "failed"}, {"untold", 0}}), 0);
    }

    void aBudgetThatIsChangedIsNoLongerUsedUp()
    {
        std::vector<Event> run = smallRun();
        run.push_back(eventOf(10, events::PhaseChanged{events::Phase::Paused, "used up", 5, "budget/tokens"}));
        QCOMPARE(stateAfter(run).phaseCode, std::string("budget/tokens"));
        run.push_back(eventOf(11, events::BudgetChanged{stateAfter(run).settings.budget}));
        QCOMPARE(stateAfter(run).phaseCode, std::string("budget/tokens"));
        run.push_back(eventOf(12, events::BudgetChanged{{0, 0, 1000, 0}}));
        const RunState after = stateAfter(run);
        QVERIFY(after.phaseCode.empty());
        QVERIFY2(after.log.back().text.starts_with("budget: ") && after.log.back().text.ends_with("→ 1000 tokens"),
            after.log.back().text.c_str()); // in the log, as on the time axis
        QCOMPARE(after.changes.size(), std::size_t(2)); // paused, and the budget that differs
    }

    void theCleanPatchRateCountsRepliesThatReachedTheApplier()
    {
        std::vector<Event> run = smallRun();
        Candidate mended = candidate(3, "mended");
        mended.proposal = {3};
        mended.repairs = {"hunk 1: mended"};
        for (std::int64_t id = 2; id <= 5; ++id) {
            Proposal proposal;
            proposal.id = {id};
            proposal.island = {1};
            proposal.proposer = "manual";
            proposal.reply = id == 5 ? Hash{} : sha256(std::to_string(id));
            run.push_back(eventOf(8 + id, events::Proposed{proposal}));
        }
        run.push_back(eventOf(14, events::ProposalRefused{{2}, ProposalState::Duplicate, "duplicate", "c-0001", {}}));
        run.push_back(eventOf(15, events::CandidateMade{mended}));
        run.push_back(
            eventOf(16, events::ProposalRefused{{4}, ProposalState::Refused, "patch/no-match", "hunk 1", {}}));
        run.push_back(eventOf(17, events::ProposalRefused{{5}, ProposalState::Refused, "proposer/exhausted", "", {}}));
        const RunState state = stateAfter(run);
        const auto tallies = patchTallies(state);
        QCOMPARE(tallies.size(), std::size_t(1)); // the mutator's one stored no reply
        const PatchTally& tally = tallies.at("manual");
        QVERIFY((tally == PatchTally{1, 1, 1}));
        QCOMPARE(tally.cleanRate().value(), 1.0 / 3);
        QVERIFY(!PatchTally{}.cleanRate());
        // Who had nothing to propose had nothing refused either.
        QCOMPARE(state.outcomes.at("patch_refused"), std::int64_t(1));
        QCOMPARE(state.outcomes.at("nothing_new"), std::int64_t(1));
    }

    void whatWasWithdrawnGivesItsPlaceOfTheBudgetToTheNext()
    {
        RunState state = stateAfter(smallRun());
        const auto say = [&state](EventBody body) {
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, std::move(body))).has_value());
        };
        for (std::int64_t id = 3; id <= 5; ++id)
            say(events::CandidateMade{candidate(id, std::to_string(id))});
        say(events::EvaluationStarted{{3}});
        say(events::EvaluationStarted{{4}});
        QCOMPARE(state.candidate({3})->evaluationNumber, 2);
        say(events::HandwrittenWithdrawn{{3}}); // in the middle of its build
        QCOMPARE(state.evaluationsStarted, 2);
        QCOMPARE(state.evaluationsDone, 1);
        QCOMPARE(state.candidate({3})->evaluationNumber, 0);
        say(events::EvaluationStarted{{5}});
        QCOMPARE(state.candidate({5})->evaluationNumber, 2);
        QCOMPARE(state.candidate({4})->evaluationNumber, 3);
        QCOMPARE(state.evaluationsStarted, 3);
    }

    void whatWasMadeForAnIslandGoesWithItAsFarAsNobodyMeasuresIt()
    {
        RunState state = stateAfter(smallRun());
        const auto say = [&state](EventBody body) {
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, std::move(body))).has_value());
        };
        const std::int64_t started = state.evaluationsStarted;
        say(events::IslandCreated{{2}, "Tiling (copy of A)", "evolve", Focus::Explore});
        for (std::int64_t id = 3; id <= 7; ++id) {
            Candidate made = candidate(id, std::to_string(id));
            made.island = {id == 7 ? 1 : 2};
            say(events::CandidateMade{made});
            say(events::EvaluationStarted{{id}});
        }
        say(events::StageReached{{4}, Stage::Screening});
        say(events::ReviewAsked{{1}, {5}, {}, {}});
        say(events::ReviewAsked{{2}, {6}, {}, {}});
        say(events::Reviewed{{2}, Decision::Approved, "person", "", {}});
        ModelRequest asked;
        asked.id = {1};
        asked.island = {2};
        asked.proposer = "model";
        say(events::Asked{asked});
        const UnderWay under = underWayFor(state, {2});
        QCOMPARE(under, (UnderWay{{{3}, {5}, {6}}, {{4}}, {{1}}}));
        say(events::IslandChangeUndone{state.newestIslandChange()->number, under.unmeasured, under.asked});
        QCOMPARE(state.log.back().text,
            std::string("island B: living → ended, undone: 3 edits for it are cancelled, 1 edit in measurement is "
                        "finished, 1 reply in flight is not used"));
        for (const std::int64_t id : {3, 5, 6}) {
            QCOMPARE(state.candidate({id})->rule, std::string(ruleOfUnmade));
            QVERIFY(state.candidate({id})->takenBack && state.candidate({id})->isOver());
        }
        for (const std::int64_t id : {4, 7})
            QVERIFY(!state.candidate({id})->isOver());
        QCOMPARE(state.evaluationsStarted, started + 2); // the others gave their places back
        QCOMPARE(state.waitingReviews, 0);
        QVERIFY(underWayFor(state, {2}).unmeasured.empty());
        ModelRequestAnswer answer;
        answer.model = "wise";
        answer.reply = sha256("reply");
        say(events::Answered{{1}, answer, 7});
        QCOMPARE(state.log.back().text,
            std::string("the reply of wise to a prompt for island B is not used: the island was undone"));
    }

    void aBanThatTakesAPinAwaySaysSoAndItsUndoBringsThePinBack()
    {
        RunState state = stateAfter(smallRun());
        const auto say = [&state](EventBody body) {
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, std::move(body))).has_value());
        };
        Marks pinned, banned;
        pinned.pinned = banned.banned = true;
        say(events::Marked{{2}, pinned});
        say(events::Marked{{2}, banned});
        QVERIFY2(state.log.back().text.starts_with("c-0002 was marked: banned, no longer pinned"),
            state.log.back().text.c_str());
        say(events::MarkUndone{{2}});
        QVERIFY(isPinned(state, {2}) && !isBanned(state, {2}));
        say(events::Marked{{2}, banned});
        say(events::Marked{{2}, pinned});
        QVERIFY2(state.log.back().text.starts_with("c-0002 was marked: pinned, no longer banned"),
            state.log.back().text.c_str());
    }

    void aResultIsNumberedWhenItCameHoweverEarlyItsEvaluationBegan()
    {
        RunState state = stateAfter(smallRun());
        const auto say = [&state](EventBody body) {
            QVERIFY(apply(state, eventOf(state.lastSeq + 1, std::move(body))).has_value());
        };
        QCOMPARE(state.candidate({2})->resultNumber, 1);
        QCOMPARE(state.candidate({1})->resultNumber, 0); // the seed of this run took no place
        for (std::int64_t id = 3; id <= 5; ++id) {
            say(events::CandidateMade{candidate(id, std::to_string(id))});
            say(events::EvaluationStarted{{id}});
        }
        say(events::ReviewAsked{{1}, {3}, {}, {}});
        const auto measured = [&](std::int64_t id) {
            Evaluation evaluation;
            evaluation.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
            evaluation.candidate = {id};
            evaluation.result.outcome = Outcome::Ranked;
            evaluation.result.purpose = Purpose::Screen;
            evaluation.result.score = Interval{1, 0.9, 1.1};
            say(events::Evaluated{evaluation, 7});
        };
        measured(5);
        QCOMPARE(state.candidate({5})->resultNumber, 2);
        measured(5); // a second one is no other result of the run
        QCOMPARE(state.candidate({5})->resultNumber, 2);
        say(events::Reviewed{{1}, Decision::Rejected, "person", "too wide", {}});
        QCOMPARE(state.candidate({3})->resultNumber, 3); // built, and told by a user
        say(events::ReviewUndone{{1}});
        QCOMPARE(state.candidate({3})->resultNumber, 0);
        measured(4);
        measured(3);
        QCOMPARE(state.candidate({4})->resultNumber, 4); // a number is given once
        QCOMPARE(state.candidate({3})->resultNumber, 5);
        QCOMPARE(state.candidate({3})->evaluationNumber, 2);
        QCOMPARE(state.evaluationsDone, 4);
    }

    void theShippedPackLoads();
    void aPackSurvivesTheRoundTripThroughItsBlob();
    void brokenFieldsAreNamed_data();
    void brokenFieldsAreNamed();
    void aSyntaxMistakeHasItsLine();
    void missingFilesAreNamed();
    void whatTheReadmeAsksOfAPackIsAskedByLoadingIt_data();
    void whatTheReadmeAsksOfAPackIsAskedByLoadingIt();
    void aSessionsOwnPackOpensWhateverItsFolderLacked();
    void anUnknownTaskListsTheKnownOnes();
    void aRuleRefusesAndOnlyTheCompilersFailureIsABuildFailure();
    void everyEventSurvivesTheRoundTrip();
    void unknownEventsAreErrors();
    void aStateIsWhatItsEventsSay();
    void gapsAndUnknownIdsAreRefused();
    void anEvaluationCountsOnce();
};

void TestModel::theShippedPackLoads()
{
    const auto pack = loadTaskPack(gemm);
    QVERIFY2(pack.has_value(), pack ? "" : pack.error().text.c_str());
    for (const char* other : {"gemm-fp32", "gemm-bf16"}) {
        const auto loaded = loadTaskPack(gemm.parent_path() / other);
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text.c_str());
    }
    QCOMPARE(pack->task.dims.size(), std::size_t(3));
    QCOMPARE(pack->task.dims[0].name, std::string("M")); // the order of the file, not of the alphabet
    QCOMPARE(pack->task.train.size(), std::size_t(8));
    QCOMPARE(pack->task.heldout.size(), std::size_t(6));
    QVERIFY(pack->moves.size() >= 9);
    QCOMPARE(pack->task.flopsOf({2, 3, 4}), 48.0);
    for (const Move& move : pack->moves)
        QVERIFY2(!move.reasoning.empty() && !move.expects.empty(), move.name.c_str());
}

void TestModel::aPackSurvivesTheRoundTripThroughItsBlob()
{
    const auto pack = loadTaskPack(gemm);
    const auto back = TaskPack::fromBlob(pack->blob());
    QVERIFY(back.has_value());
    QVERIFY(back->task == pack->task);
    QVERIFY(back->moves == pack->moves);
    QVERIFY(back->seed() == pack->seed());
    QCOMPARE(TaskPack::fromBlob("{}").error().code, std::string("task/blob"));
}

void TestModel::brokenFieldsAreNamed_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* from, const char* to, const char* what) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(what);
    };
    row("unknown field", "\"format\": 1,", "\"format\": 1, \"colour\": 3,", "task/field colour");
    row("newer format", "\"format\": 1,", "\"format\": 2,", "task/field format");
    row("unknown target", "\"target\": \"cpp\"", "\"target\": \"fpga\"", "task/field target");
    row("missing title", "\"title\": \"GEMM fp32, CPU\",", "", "task/field title");
    row("unknown dtype", "\"role\": \"output\", \"dtype\": \"fp32\"", "\"role\": \"output\", \"dtype\": \"fp31\"",
        "task/field tensors[2].dtype");
    row("unknown dimension", "[\"M\", \"N\"]", "[\"M\", \"Q\"]", "task/field tensors[2].shape");
    row("cost with unknown name", "2*M*N*K", "2*M*N*Q", "task/field cost.flops");
    row("absurd tolerance", "\"tau\": 2e-5", "\"tau\": 7", "task/field numeric.tau");
    row("unknown input kind", "\"mixed\"", "\"nice\"", "task/field inputs");
    row("short shape", "[255, 257, 191]", "[255, 257]", "task/field shapes.train[0]");
    row("held-out as train", "[257, 263, 251]", "[255, 257, 191]", "task/field shapes.heldout[0]");
    row("zero extent", "[255, 257, 191]", "[255, 257, 0]", "task/field shapes.train[0]");
    row("a precision nobody reaches", "\"threads\": 1", "\"threads\": 1, \"precision\": 0.001",
        "task/field timing.precision");
    row("two threads", "\"threads\": 1", "\"threads\": 2", "task/field timing.threads");
    row("linker option", "\"-O3\"", "\"-Wl,-x\"", "task/field build.options");
    row("plugin", "\"-O3\"", "\"-fplugin=x.so\"", "task/field build.options");
    row("fast mathematics", "\"-O3\"", "\"-ffast-math\"", "task/field build.options");
    row("a file of options", "\"-O3\"", "\"-fprofile-use=/tmp/x\"", "task/field build.options");
    row("cost without end", "\"flops\": \"2*M*N*K\"", "\"flops\": \"M*M*M*M*M*M*M*M*N*N*N*N*N*N*N*N*N*N\"",
        "task/field cost.flops");
    row("path outside", "\"reference.cpp\"", "\"../reference.cpp\"", "task/field reference");
    row("not JSON", "\"format\": 1,", "\"format\": 1", "task/syntax ");
    row("a member twice", "\"format\": 1,", "\"format\": 1, \"format\": 1,", "task/field format");
}

void TestModel::brokenFieldsAreNamed()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, what);
    const QString good = QString::fromStdString(*readFile(gemm / "task.json"));
    QVERIFY(good.contains(from));
    const QString text = QString(good).replace(good.indexOf(from), from.size(), to);
    const auto task = parseTask(text.toStdString());
    QVERIFY(!task.has_value());
    QCOMPARE(codeAndField(task.error()), what);
    QVERIFY(!task.error().text.empty());
}

void TestModel::aSyntaxMistakeHasItsLine()
{
    const auto task = parseTask("{\n  \"format\": 1,\n  \"name\": \"x\"\n  \"title\": \"y\"\n}\n");
    QVERIFY(!task.has_value());
    QCOMPARE(task.error().code, std::string("task/syntax"));
    QCOMPARE(
        task.error().text, std::string("task.json is not valid JSON: line 4: unexpected string literal; expected '}'"));
}

void TestModel::missingFilesAreNamed()
{
    const QTemporaryDir folder;
    const fs::path copy = folder.path().toStdString() + "/gemm-fp32-cpu";
    fs::copy(gemm, copy, fs::copy_options::recursive);
    fs::remove(copy / "reference.cpp");
    QCOMPARE(codeAndField(loadTaskPack(copy).error()), QStringLiteral("task/file reference"));
    fs::copy_file(gemm / "reference.cpp", copy / "reference.cpp");
    std::ofstream(copy / "moves/empty.patch") << "no diff here\n";
    const auto pack = loadTaskPack(copy);
    QVERIFY(!pack.has_value());
    QCOMPARE(pack.error().evidence.at("file").get<std::string>(), std::string("moves/empty.patch"));
    QCOMPARE(codeAndField(loadTaskPack(folder.path().toStdString()).error()), QStringLiteral("task/file "));
}

void TestModel::whatTheReadmeAsksOfAPackIsAskedByLoadingIt_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("what"); // code and field; empty: the pack is good
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* from, const char* to, const char* what, const char* reason) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(what)
                            << QString::fromUtf8(reason);
    };
    const char* axis = "\"tunables:MC*NC*KC\"";
    row("as it is", axis, axis, "", "");
    row("tunables that moves bring", axis, "\"tunables:MR + NR\"", "", "");
    row("a feature of no name", axis, "\"nope\"", "task/file niches[0].feature", "is not one of code_bytes");
    row("half an expression", axis, "\"tunables:MC*\"", "task/file niches[0].feature", "expected a number or a name");
    row("an open bracket", axis, "\"tunables:(MC\"", "task/file niches[0].feature", "expected ')'");
    row("a tunable of nobody", axis, "\"tunables:MC*QQ\"", "task/file niches[0].feature",
        "'QQ' is neither a tunable nor an integer constant of the seed or of a move");
    row("a name that is no number", axis, "\"tunables:run\"", "task/file niches[0].feature", "'run' is");
    row("no tunable at all", axis, "\"tunables:64\"", "task/file niches[0].feature", "contains no tunable");
    row("an axis without bins", "\"log2\", \"bins\": 7", "\"log2\"", "task/file niches[0].bins", "is missing");
    row("no timing", "\"timing\": {\"mode\": \"cold\", \"threads\": 1},", "", "task/file timing", "is missing");
    row("no time to build", "\"build_s\": 30, ", "", "task/file limits.build_s", "is missing");
    row("another name", "\"gemm-fp32-cpu\"", "\"gemm\"", "task/file name", "is not the name of the folder");
}

void TestModel::whatTheReadmeAsksOfAPackIsAskedByLoadingIt()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, what);
    QFETCH(QString, reason);
    const QTemporaryDir folder;
    const fs::path copy = folder.path().toStdString() + "/gemm-fp32-cpu";
    fs::copy(gemm, copy, fs::copy_options::recursive);
    QString text = QString::fromStdString(*readFile(copy / "task.json"));
    QVERIFY(text.contains(from));
    std::ofstream(copy / "task.json") << text.replace(from, to).toStdString();
    const auto pack = loadTaskPack(copy);
    QCOMPARE(pack ? QString() : codeAndField(pack.error()), what);
    if (!pack) {
        QCOMPARE(pack.error().evidence.value("file", ""), std::string("task.json"));
        QVERIFY2(QString::fromStdString(pack.error().evidence.value("reason", "")).contains(reason),
            pack.error().text.c_str());
    }
}

void TestModel::aSessionsOwnPackOpensWhateverItsFolderLacked()
{
    auto pack = *loadTaskPack(gemm);
    const std::string key = "tunables:MC*NC*KC";
    pack.json.replace(pack.json.find(key), key.size(), "nope");
    const auto back = TaskPack::fromBlob(pack.blob());
    QVERIFY2(back.has_value(), back ? "" : back.error().text.c_str());
    QCOMPARE(back->task.niches.front().feature, std::string("nope"));
}

void TestModel::anUnknownTaskListsTheKnownOnes()
{
    qputenv("TILEWRIGHT_SHARE", TILEWRIGHT_SOURCE_DIR);
    QVERIFY(findTaskPack("gemm-fp32-cpu").has_value());
    const auto unknown = findTaskPack("gemm-fp33-cpu");
    QCOMPARE(unknown.error().code, std::string("task/unknown"));
    QVERIFY(unknown.error().hint.find("gemm-fp32-cpu") != std::string::npos);
}

void TestModel::aRuleRefusesAndOnlyTheCompilersFailureIsABuildFailure()
{
    for (const char* rule :
        {"build/error", "build/crash", "build/limit", "build/killed", "build/no-entry", "build/no-kernel"})
        QCOMPARE(outcomeOfRule(rule), Outcome::BuildFailed);
    for (const char* rule : {"build/writable-data", "build/constructor", "build/undefined-symbol", "build/include",
             "static/source-size", "verify/poison", "time/roofline"})
        QCOMPARE(outcomeOfRule(rule), Outcome::Refused);
    QCOMPARE(outcomeOfRule("run/crash"), Outcome::RunFailed);
}

void TestModel::everyEventSurvivesTheRoundTrip()
{
    std::vector<EventBody> bodies;
    for (const Event& event : smallRun())
        bodies.push_back(event.body);
    bodies.push_back(events::DeviceFound{"cpu0", "host", {{"cores", 2}}});
    bodies.push_back(events::ProposalRefused{{1}, ProposalState::Duplicate, "", "c-0001"});
    bodies.push_back(events::StageReached{{2}, Stage::Screening});
    bodies.push_back(events::GridRebinned{{{9.5, 12}, {6, 7}}, {{1}, {2}}, {"1,1", "0,unknown"}});
    bodies.push_back(events::Migrated{{2}, candidate(3, "child"), "1,1", true, {{1}}});
    bodies.push_back(events::NoiseMeasured{"cpu0", 0.004, 20});
    bodies.push_back(events::BudgetChanged{{300, 60.5}});
    bodies.push_back(events::PhaseChanged{events::Phase::Paused, "by hand", 12});
    bodies.push_back(events::PhaseChanged{events::Phase::Paused, "used up", 12, "budget/cost"});
    bodies.push_back(events::Noted{"warning", "text", "hint"});
    bodies.push_back(events::Asked{});
    bodies.push_back(events::Answered{{1}, {}, 7});
    bodies.push_back(events::BodyArrived{{1}, {1, 200, "openai-chat", sha256("b")}});
    bodies.push_back(events::ModelStatisticsChanged{"m", {}});
    bodies.push_back(events::TriedAgain{{1}, 3});
    bodies.push_back(events::InsightsWritten{{1, "person", 3, sha256("i"), {}}});
    bodies.push_back(events::HintsChanged{{2}, "mind the edges\nuse fma"});
    bodies.push_back(events::ReviewPolicyChanged{{2}, ReviewPolicy::Risky});
    bodies.push_back(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every, ProposerKind::Model});
    bodies.push_back(events::ReviewLimitChanged{3});
    bodies.push_back(events::TurnsWaived{{2}});
    bodies.push_back(events::ReviewAsked{{1}, {2}, {"57 changed lines"}, {{"warnings", {"static/clock"}}}});
    bodies.push_back(events::Reviewed{{1}, Decision::Edited, "person", "no halves", {3}});
    bodies.push_back(events::ReviewUndone{{1}});
    bodies.push_back(events::FeatureUsed{{2}, "wgmma"});
    bodies.push_back(events::TemplateSaved{{2}, "exploit", sha256("t"), "ask for less", 0});
    bodies.push_back(events::TemplateSaved{{2}, "exploit", sha256("t"), "as before", 1});
    bodies.push_back(events::TemplateSaved{{2}, "exploit", sha256("t"), "", 1, true});
    bodies.push_back(events::IslandCreated{{2}, "Tune", "evolve", Focus::Tune, {Focus::Tune, {}, 2.5, 0.7}});
    bodies.push_back(events::IslandCreated{{2}, "Tune (copy of A)", "evolve", Focus::Tune, {}, {1}});
    bodies.push_back(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
    bodies.push_back(events::IslandStandingChanged{{2}, Standing::Ended, {1}, {{3}, {4}}, {{2}}});
    bodies.push_back(events::IslandSteered{{2}, {{}, FocusMix{1, 2, 0, 0.5, 0}, 1, {}}});
    bodies.push_back(events::IslandSteered{{2}, {{}, {}, 1, {}, 2, {{"mutator", 1}, {"model:a b", 0.5}}}});
    bodies.push_back(events::IslandReset{{2}, {{1}}});
    bodies.push_back(events::MigrationPlanned{{MigrationPlan::Ways::Drawn, {{{1}, {2}}, {{2}, {1}}}, 9}});
    bodies.push_back(events::IslandChangeUndone{3});
    bodies.push_back(events::IslandChangeUndone{4, {{2}, {5}}, {{1}}});
    bodies.push_back(events::Marked{{2}, {true, false, true, 2.5, {"fast", "odd"}, "look at\nthe tail"}});
    bodies.push_back(events::MarkUndone{{2}});
    bodies.push_back(events::SteeringRequested{{{1}, {2}, 3, "unroll by four"}});
    bodies.push_back(
        events::SteeringRequested{{{2}, {2}, 1, "", 0, false, {"crossover", {2}, {3}, "situation", sha256("once")}}});
    bodies.push_back(events::SteeringRequestCancelled{{1}});
    bodies.push_back(events::Judged{{{1}, {2}, JudgeVerdict::Repeat, {3}, "c-0003 did so", 1.05}});
    bodies.push_back(events::Judged{{{1}, {2}, JudgeVerdict::Unclear, {}, "", 0}});
    bodies.push_back(events::Placed{{2}, candidate(3, "child"), Placing::Move, "1,1", true, {{1}}});
    bodies.push_back(events::PlacementUndone{{3}});
    bodies.push_back(events::HandwrittenWithdrawn{{2}});
    bodies.push_back(events::RerunAsked{{1}, {2}, 4, {1}});
    bodies.push_back(events::RerunAsked{{2}, {2}, 1, {}, {{777, 1023, 511}, {1, 2, 3}}, "cpu1"});
    bodies.push_back(events::RerunWithdrawn{{1}});
    EvaluationResult sealedResult;
    sealedResult.purpose = Purpose::Export;
    sealedResult.outcome = Outcome::Ranked;
    sealedResult.score = Interval{2, 1.9, 2.1};
    sealedResult.shapes.emplace_back().shape = {511, 96, 777};
    sealedResult.shapes.back().split = ShapeSplit::Sealed;
    bodies.push_back(events::SealedMeasured{{2}, "cpu0", sealedResult});
    bodies.push_back(events::ProposerChanged{"model:/models.json"});
    bodies.push_back(events::WorkDone{{{2}, Work::Build, 2, -1, 10, 12, 40, "build/error", false}});
    std::set<std::size_t> kinds;
    for (const EventBody& body : bodies) {
        const auto back = eventFromJson(kindOf(body), toJson(body));
        QVERIFY2(back.has_value(), kindOf(body).c_str());
        QVERIFY2(*back == body, kindOf(body).c_str());
        kinds.insert(body.index());
    }
    QCOMPARE(kinds.size(), std::variant_size_v<EventBody>); // no kind was forgotten
}

void TestModel::unknownEventsAreErrors()
{
    QCOMPARE(eventFromJson("sung", {}).error().code, std::string("event/unknown-kind"));
    QCOMPARE(eventFromJson("proposed", {{"id", 1}}).error().code, std::string("event/field"));
    QCOMPARE(
        eventFromJson("stage_reached", {{"candidate", 1}, {"stage", "x"}}).error().code, std::string("event/field"));
}

void TestModel::aStateIsWhatItsEventsSay()
{
    const RunState state = stateAfter(smallRun());
    QCOMPARE(state.candidates.size(), std::size_t(2));
    QCOMPARE(state.incumbent.value, 2);
    QVERIFY(state.best());
    QVERIFY(state.best()->confirmed);
    QCOMPARE(state.best()->score->value, 2.0);
    QCOMPARE(state.islands[0].niches.at("0,1").value, 2);
    QCOMPARE(state.islands[0].best.value, 2);
    QCOMPARE(state.islands[0].proposals, 1);
    QCOMPARE(state.proposal({1})->state, ProposalState::Accepted);
    QCOMPARE(state.evaluationsStarted, 1);
    QCOMPARE(state.evaluationsDone, 1);
    QCOMPARE(state.outcomes.at("ranked"), 1);
    QCOMPARE(state.firstOfProgram.find(sha256("seed"))->value, 1);
    QVERIFY(state == stateAfter(smallRun()));
}

void TestModel::gapsAndUnknownIdsAreRefused()
{
    std::vector<Event> run = smallRun();
    RunState state = stateAfter(run);
    const RunState before = state;
    QCOMPARE(apply(state, eventOf(20, events::Noted{"info", "x", ""})).error().code, std::string("event/order"));
    QCOMPARE(apply(state, eventOf(10, events::StageReached{{9}, Stage::Done})).error().code,
        std::string("event/unknown-id"));
    QVERIFY(state == before);
}

void TestModel::anEvaluationCountsOnce()
{
    std::vector<Event> run = smallRun();
    run.push_back(eventOf(10, events::EvaluationStarted{{2}})); // again, after a restart
    QCOMPARE(stateAfter(run).evaluationsStarted, 1);
}

TILEWRIGHT_TEST(TestModel)
#include "test_model.moc"
