// SPDX-License-Identifier: GPL-3.0-or-later
// How many edits of an island may wait for a user: with them it asks for no more, the others go on, and nothing
// hangs.
#include "core/model/reviews/review_queue.h"
#include "core/store/session_writer.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

constexpr IslandId islandA{1};

bool waitsForReviews(EngineDriver& run)
{
    return QTest::qWaitFor([&run] { return run.engine.snapshot()->status.waitingCode == "reviews"; }, twinPatienceMs);
}

std::string waitingWords(EngineDriver& run) { return run.engine.snapshot()->status.waiting; }

bool hasLogged(const RunState& state, const std::string& words)
{
    return std::ranges::any_of(
        state.log, [&words](const LogLine& line) { return line.text.find(words) != std::string::npos; });
}

CandidateId firstWaitingOn(const RunState& state, IslandId island)
{
    for (const Candidate& each : state.candidates)
        if (each.island == island && each.stage == Stage::Review)
            return each.id;
    return {};
}

void begin(EngineDriver& run, const TaskPack& pack, IslandPolicies policy, int limit, std::int64_t evaluations = 40)
{
    NewSession session;
    session.path = run.path();
    session.pack = pack;
    session.settings.budget.evaluations = evaluations;
    session.settings.review = std::move(policy);
    session.settings.reviewLimit = limit;
    run.engine.create(session);
}

std::int64_t proposalsOf(const RunState& state, IslandId island, std::size_t from, std::size_t count)
{
    std::int64_t found = 0;
    for (std::size_t i = from; i < std::min(from + count, state.proposals.size()); ++i)
        found += state.proposals[i].island == island ? 1 : 0;
    return found;
}

} // namespace

class TestReviewLimit : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    const IslandPolicies m_every{{IslandId{}, ReviewPolicy::Every}};

private Q_SLOTS:
    void whatWaitsAndWhatIsOnItsWayTakesTheIslandsPlaces()
    {
        RunState state;
        for (const IslandId id : {islandA, islandB}) {
            Island island;
            island.id = id;
            state.islands.push_back(island);
        }
        state.settings.review = {{islandB, ReviewPolicy::Every}};
        state.settings.reviewLimit = 3;
        const auto add = [&state](IslandId island, Stage stage) {
            Candidate candidate;
            candidate.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
            candidate.island = island;
            candidate.stage = stage;
            if (candidate.id.value > 1)
                candidate.parents = {CandidateId{1}};
            state.candidates.push_back(candidate);
            state.waitingReviews += stage == Stage::Review ? 1 : 0;
        };
        add(islandA, Stage::Done); // the seed
        add(islandB, Stage::Review);
        QVERIFY(mayPropose(state, islandB, 1));
        QVERIFY(!mayPropose(state, islandB, 2));
        QVERIFY(mayPropose(state, islandA, 100)); // it does not ask
        add(islandB, Stage::Building);
        QVERIFY(!mayPropose(state, islandB, 1));
        ModelRequest modelRequest;
        modelRequest.id = {1};
        modelRequest.island = islandB;
        state.modelRequests.push_back(modelRequest);
        QVERIFY(!mayPropose(state, islandB, 0));
        QVERIFY(!waitsForPerson(state, islandB)); // it waits for a build and a reply, not yet for the user
        state.modelRequests.edit(0).state = ModelRequestState::Failed;
        QVERIFY(mayPropose(state, islandB, 0));
        add(islandB, Stage::Review);
        QVERIFY(!mayPropose(state, islandB, 0));
        QCOMPARE(wordsOfWaiting(state, islandB), std::string());
        add(islandB, Stage::Review);
        QVERIFY(waitsForPerson(state, islandB));
        QCOMPARE(wordsOfWaiting(state, islandB), std::string("blocked: 3 pending reviews"));
        QVERIFY(!everyIslandWaits(state)); // A goes on
        state.settings.reviewLimit = 0;
        QVERIFY(mayPropose(state, islandB, 1000));
        QVERIFY(!waitsForPerson(state, islandB));
    }

    void anIslandHoldsAtTheLimitAndTheOthersUseTheBudget()
    {
        EngineDriver run;
        begin(run, m_pack, {{islandB, ReviewPolicy::Every}}, 3);
        QVERIFY(waitsForReviews(run));
        const RunState state = run.run();
        QCOMPARE(state.waitingReviews, 3);
        QCOMPARE(waitingOn(state, islandB), 3);
        QCOMPARE(state.evaluationsStarted, 40);
        QVERIFY2(waitingWords(run).find("no other work left") != std::string::npos, waitingWords(run).c_str());
        // It has no turns to catch up on: the others are not kept waiting once it goes on.
        const std::int64_t behind = state.island(islandA)->turns() - state.island(islandB)->turns();
        QVERIFY2(behind > 4, std::to_string(behind).c_str());
        run.execute(commands::SetReviewPolicies{{{islandB, ReviewPolicy::Automatic}}});
        const std::size_t known = run.run().proposals.size();
        run.execute(commands::SetBudget{{56, 0, 0, 0}});
        QVERIFY(run.waitForEnd(twinPatienceMs));
        const RunState after = run.run();
        QCOMPARE(after.evaluationsDone, 56);
        const std::int64_t ofB = proposalsOf(after, islandB, known, 8);
        QVERIFY2(ofB >= 1 && ofB <= 4, std::to_string(ofB).c_str());
        QVERIFY(run.failures.isEmpty());
    }

    void whereEveryIslandAsksTheRunSaysThatItWaitsAndGoesOnWithEachWord()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 2);
        QVERIFY(waitsForReviews(run));
        RunState state = run.run();
        QCOMPARE(state.waitingReviews, 8);
        for (const Island& island : state.islands)
            QCOMPARE(waitingOn(state, island.id), 2);
        QCOMPARE(state.evaluationsStarted, 9); // the seed, and what waits
        QCOMPARE(state.phase, events::Phase::Running);
        QVERIFY2(waitingWords(run).find("no island requests further edits until some are decided") != std::string::npos,
            waitingWords(run).c_str());
        run.execute(commands::Decide{{firstWaitingOn(state, islandA)}, Decision::Deferred, ""}); // that decides nothing
        QCOMPARE(waitingOn(run.run(), islandA), 2);
        run.execute(commands::Decide{{firstWaitingOn(state, islandA)}, Decision::Rejected, "no"});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().waitingReviews, 8, twinPatienceMs);
        state = run.run();
        QCOMPARE(waitingOn(state, islandA), 2);
        QCOMPARE(state.evaluationsStarted, 10);
        run.execute(commands::Pause{});
        QVERIFY(run.waitForEnd(twinPatienceMs));
        QCOMPARE(run.ended->run.phase, events::Phase::Paused);
    }

    void whatAPersonWishesIsAskedForAllTheSame()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 2);
        QVERIFY(waitsForReviews(run));
        run.execute(commands::RequestEdits{CandidateId{1}, 1, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().waitingReviews, 9, twinPatienceMs);
        QVERIFY(run.failures.isEmpty());
        run.execute(commands::Pause{});
        QVERIFY(run.waitForEnd(twinPatienceMs));
    }

    void aLimitThatIsLiftedLetsItGoOn()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 2, 64);
        QVERIFY(waitsForReviews(run));
        run.execute(commands::SetReviewLimit{3});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().waitingReviews, 12, twinPatienceMs);
        run.execute(commands::SetReviewLimit{0});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().waitingReviews, 63, twinPatienceMs); // the budget
        run.execute(commands::SetReviewLimit{-1});
        QCOMPARE(run.failures, QStringList{QStringLiteral("review/limit")});
        const RunState state = run.run();
        QCOMPARE(
            lineOf(state.changes[state.changes.size() - 1]), std::string("pending reviews per island: 3 → no limit"));
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(run.waitForEnd(twinPatienceMs));
        QCOMPARE(run.run().evaluationsDone, 64);
    }

    void waitingForAPersonAloneIsNoRunningTime()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 2);
        QVERIFY(waitsForReviews(run));
        // Of a wall budget that is all but used up nothing is used meanwhile.
        const double almost = static_cast<double>(run.engine.snapshot()->status.runNs) * 1e-9 + 0.25;
        run.execute(commands::SetBudget{{40, almost, 0, 0}});
        QTRY_VERIFY_WITH_TIMEOUT(hasLogged(run.run(), "waits for a user to decide on 8 edits"), twinPatienceMs);
        const RunState stood = run.run();
        QCOMPARE(stood.phase, events::Phase::Running);
        QVERIFY(static_cast<double>(stood.runNs) * 1e-9 < almost);
        QCOMPARE(run.engine.snapshot()->status.runNs, stood.runNs); // a kill now would lose none of it
        QCOMPARE(run.engine.snapshot()->status.evaluationsPerMinute, 0.0);
        run.execute(commands::SetBudget{{40, 0, 0, 0}});
        run.execute(commands::Decide{{firstWaitingOn(stood, islandA)}, Decision::Rejected, "no"});
        QTRY_VERIFY_WITH_TIMEOUT(hasLogged(run.run(), "of waiting for a user"), twinPatienceMs);
        run.execute(commands::SetBudget{{12, 0, 0, 0}});
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(run.waitForEnd(twinPatienceMs));
        const RunState after = run.run();
        QVERIFY(after.runNs > stood.runNs);
        QCOMPARE(after.evaluationsDone, 12);
        // It is no change that a user made in the run.
        QVERIFY(std::ranges::none_of(after.changes,
            [](const RunChange& change) { return lineOf(change).find("for a user") != std::string::npos; }));
    }

    void theRateCountsResultsAndNoWordsOfAPerson()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 2, 16);
        double most = 0;
        bool isMore = false;
        connect(&run.engine, &Engine::published, &run.engine, [&](const SnapshotPtr& now) {
            const double results
                = now->status.evaluationsPerMinute * static_cast<double>(now->status.rateNs) / 60e9; // of that time
            most = std::max(most, results);
            isMore = isMore || results > static_cast<double>(now->run.resultsEver) + 0.001;
        });
        QVERIFY(waitsForReviews(run));
        const RunState stood = run.run();
        int said = 0;
        for (const Review& review : stood.reviews)
            if (review.isWaiting() && said < 4) {
                run.execute(commands::Decide{{review.candidate}, Decision::Rejected, "no"});
                ++said;
            }
        QCOMPARE(said, 4);
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(run.waitForEnd(twinPatienceMs));
        QVERIFY(!isMore);
        QVERIFY(most > 1);
    }

    void ofASmallBudgetOnlyAPartIsSpentBeforeThePersonsWord()
    {
        EngineDriver run;
        begin(run, m_pack, m_every, 8, 12);
        QVERIFY(waitsForReviews(run));
        QCOMPARE(run.run().waitingReviews, 4); // one on each island
        QCOMPARE(run.run().evaluationsStarted, 5); // the seed, and what waits
        QVERIFY(run.engine.snapshot()->status.waiting.find("no island requests further edits") != std::string::npos);
        run.execute(commands::SetBudget{{101, 0, 0, 0}});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().waitingReviews, 24, twinPatienceMs); // a quarter of the 100 that are left
        run.execute(commands::Pause{});
        QVERIFY(run.waitForEnd(twinPatienceMs));
    }

    void theIslandsThatAskShareAQuarterOfWhatIsLeft()
    {
        RunState state;
        for (std::int64_t id = 1; id <= 4; ++id) {
            Island island;
            island.id = {id};
            state.islands.push_back(island);
        }
        state.settings.review = {{IslandId{}, ReviewPolicy::Every}};
        state.settings.reviewLimit = 8;
        const auto limitWith = [&state](std::int64_t budget, std::int64_t started, std::int64_t waiting) {
            state.settings.budget.evaluations = budget;
            state.evaluationsStarted = started;
            state.waitingReviews = waiting;
            return reviewLimitOn(state, islandA);
        };
        QCOMPARE(limitWith(0, 500, 0), 8); // no such budget
        QCOMPARE(limitWith(129, 1, 0), 8);
        QCOMPARE(limitWith(128, 1, 0), 7);
        QCOMPARE(limitWith(128, 29, 28), 7); // what waits is not decided
        QCOMPARE(limitWith(128, 127, 0), 1);
        QCOMPARE(limitWith(3, 3, 0), 1);
        state.islands[3].standing = Standing::Paused; // it takes no share
        QCOMPARE(limitWith(49, 1, 0), 4);
        state.settings.review = {{islandA, ReviewPolicy::Every}, {islandB, ReviewPolicy::Risky}};
        QCOMPARE(limitWith(21, 1, 0), 5);
        QCOMPARE(reviewLimitOn(state, islandB), 8); // most may go on without a word
        QCOMPARE(reviewLimitOn(state, IslandId{3}), 0); // it does not ask
        state.settings.reviewLimit = 0;
        QCOMPARE(limitWith(21, 1, 0), 0); // the user wants it so
    }

    void aTwinWithoutALimitPilesUpAndElseBeginsAlike()
    {
        Twins twins(m_pack);
        QVERIFY(twins.ready);
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()}) {
            twin->execute(commands::SetReviewPolicies{{{islandB, ReviewPolicy::Every}}});
            twin->engine.execute(commands::SetReviewLimit{twin == &twins.steered ? 2 : 0});
            twin->engine.execute(commands::SetBudget{{48, 0, 0, 0}});
            twin->engine.execute(commands::Run{});
            QVERIFY(waitsForReviews(*twin));
        }
        QVERIFY(twins.beganAlike());
        const RunState steered = twins.state(twins.steered), untouched = twins.state(*twins.untouched);
        QCOMPARE(waitingOn(steered, islandB), 2);
        QVERIFY(waitingOn(untouched, islandB) > 2);
        QVERIFY(steered.proposals[twins.known] == untouched.proposals[twins.known]); // until the limit bites
        QCOMPARE(steered.evaluationsStarted, 48);
    }

    void aReopenedRunHoldsAsItDid()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        std::size_t proposals = 0;
        {
            EngineDriver run;
            begin(run, m_pack, m_every, 2, 64);
            QVERIFY(waitsForReviews(run));
            proposals = run.run().proposals.size();
            run.execute(commands::SaveCopy{path.toStdString()});
            QVERIFY(run.close());
        }
        EngineDriver again({}, path);
        again.engine.open(path);
        QCOMPARE(again.run().settings.reviewLimit, 2);
        again.execute(commands::Run{});
        QVERIFY(waitsForReviews(again));
        QCOMPARE(again.run().proposals.size(), proposals);
        again.execute(commands::SetReviewLimit{3});
        QTRY_COMPARE_WITH_TIMEOUT(again.run().waitingReviews, 12, twinPatienceMs);
        again.execute(commands::Decide{{firstWaitingOn(again.run(), islandA)}, Decision::Rejected, "no"});
        QTRY_COMPARE_WITH_TIMEOUT(again.run().waitingReviews, 12, twinPatienceMs);
        QVERIFY(again.close());
        auto writer = SessionWriter::open(path.toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash().value().hex(), hash.value().hex());
    }
};

TILEWRIGHT_TEST(TestReviewLimit)
#include "test_review_limit.moc"
