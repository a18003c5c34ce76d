// SPDX-License-Identifier: GPL-3.0-or-later
// Selection, admission and migration as tables; what a strategy decides depends on the state alone.
#include "core/evolve/boosts.h"
#include "core/evolve/islands.h"
#include "core/evolve/population.h"
#include "core/evolve/rebinning.h"
#include "core/evolve/selection.h"
#include "core/model/best.h"
#include "tests/engine/marked.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace tilewright;
using tilewright::testing::marked;

namespace {

/// A run with measured candidates whose scores, cells and moves are given; candidate i has id i + 1, all on island 1.
class StateMaker
{
public:
    explicit StateMaker(int islands = 1)
    {
        RunSettings settings;
        settings.islands = islands;
        record(events::RunCreated{settings});
        for (events::IslandCreated& island : foundersOf(settings))
            record(std::move(island));
    }

    CandidateId add(double score, const std::string& cell, std::vector<std::string> moves = {},
        IslandId island = IslandId{1}, bool admit = true, std::int64_t ordinal = 0)
    {
        Candidate candidate;
        candidate.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
        candidate.island = island;
        candidate.program = sha256("program " + std::to_string(candidate.id.value));
        candidate.moves = std::move(moves);
        candidate.tunables = {{"KC", 64}};
        if (candidate.id.value > 1)
            candidate.parents = {CandidateId{1}};
        if (ordinal > 0) {
            Proposal proposal;
            proposal.id = {static_cast<std::int64_t>(state.proposals.size()) + 1};
            proposal.island = island;
            proposal.ordinal = ordinal;
            proposal.proposer = "mutator";
            record(events::Proposed{proposal});
            candidate.proposal = proposal.id;
        }
        record(events::CandidateMade{candidate});
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
        evaluation.candidate = candidate.id;
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.score = Interval{score, score, score};
        record(events::Evaluated{evaluation, 0});
        if (admit)
            if (auto admitted = admissionOf(state, island, candidate.id, cell))
                record(std::move(*admitted));
        record(events::StageReached{candidate.id, Stage::Done});
        return candidate.id;
    }

    void record(EventBody body)
    {
        const auto applied = apply(state, Event{RunId{1}, state.lastSeq + 1, {}, std::move(body)});
        Q_ASSERT(applied.has_value());
    }

    RunState state;
};

} // namespace

class TestEvolve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void islandsDifferInFocusAndAreNamed()
    {
        RunSettings settings;
        settings.islands = 6;
        const auto islands = foundersOf(settings);
        QCOMPARE(islands.size(), std::size_t(6));
        std::set<std::string> names;
        for (const auto& island : islands)
            names.insert(island.name);
        QCOMPARE(names.size(), std::size_t(6));
        QCOMPARE(islands[0].focus, Focus::Explore);
        QCOMPARE(islands[3].focus, Focus::Crossover);
        QCOMPARE(islands[4].focus, Focus::Explore);
    }

    void aCellKeepsItsBest()
    {
        StateMaker maker;
        const CandidateId first = maker.add(2, "1,1"), worse = maker.add(1.5, "1,1"), better = maker.add(3, "1,1");
        const Island& island = maker.state.islands[0];
        QCOMPARE(island.niches.at("1,1"), better);
        QCOMPARE(island.members, (std::vector<CandidateId>{first, worse, better}));
        QCOMPARE(island.best, better);
    }

    void aFullPopulationLosesItsWorstButNoElite()
    {
        StateMaker maker;
        const CandidateId lonelyElite = maker.add(0.1, "6,6");
        std::vector<CandidateId> ids;
        for (std::size_t i = 0; i + 1 < populationLimit; ++i)
            ids.push_back(maker.add(1 + static_cast<double>(i), "0,0"));
        QCOMPARE(maker.state.islands[0].members.size(), populationLimit);
        maker.add(100, "0,0");
        const std::vector<CandidateId>& members = maker.state.islands[0].members;
        QCOMPARE(members.size(), populationLimit);
        QVERIFY(std::find(members.begin(), members.end(), lonelyElite) != members.end());
        QVERIFY(std::find(members.begin(), members.end(), ids.front()) == members.end());
    }

    void whoIsPinnedNeverLeavesAndTheNextWorstDoes()
    {
        StateMaker pinned, untouched;
        for (StateMaker* maker : {&pinned, &untouched}) {
            maker->add(50, "0,0");
            for (std::size_t i = 0; i + 1 < populationLimit; ++i)
                maker->add(1 + static_cast<double>(i), "0,0");
        }
        const CandidateId worst{2}, nextWorst{3};
        pinned.record(events::Marked{worst, marked([&](Marks& m) { m.pinned = true; })});
        pinned.add(100, "0,0");
        untouched.add(100, "0,0");
        const auto lives = [](const StateMaker& maker, CandidateId id) {
            return std::ranges::find(maker.state.islands[0].members, id) != maker.state.islands[0].members.end();
        };
        QVERIFY(lives(pinned, worst) && !lives(pinned, nextWorst));
        QVERIFY(!lives(untouched, worst) && lives(untouched, nextWorst));
        pinned.record(events::MarkUndone{worst});
        pinned.add(101, "0,0");
        QVERIFY(!lives(pinned, worst));
    }

    void whoIsPinnedAfterLeavingMayBeAParentAgain()
    {
        StateMaker maker;
        for (std::size_t i = 0; i <= populationLimit; ++i)
            maker.add(1 + static_cast<double>(i), "0,0");
        const auto isParent = [&](CandidateId id) {
            const auto ranked = byFitness(maker.state, maker.state.islands[0]);
            return std::ranges::find(ranked, id, &Candidate::id) != ranked.end();
        };
        QVERIFY(!isParent({1}));
        maker.record(events::Marked{{1}, marked([&](Marks& m) { m.pinned = true; })});
        QVERIFY(isParent({1}));
    }

    void whoIsBannedHoldsNoCellIsNoParentAndMigratesNowhere()
    {
        StateMaker maker(2);
        maker.add(0.5, "0,0");
        const CandidateId second = maker.add(2, "1,1"), best = maker.add(3, "1,1");
        const Island before = maker.state.islands[0];
        QCOMPARE(before.niches.at("1,1"), best);
        maker.record(events::Marked{best, marked([&](Marks& m) { m.banned = true; })});
        QCOMPARE(maker.state.islands[0].niches.at("1,1"), second);
        for (const Candidate* parent : byFitness(maker.state, maker.state.islands[0]))
            QVERIFY(parent->id != best);
        for (std::int64_t ordinal = 1; ordinal < 60; ++ordinal)
            for (const CandidateId parent : drawnRequest(maker.state, maker.state.islands[0], ordinal).parents)
                QVERIFY(parent != best);
        const CandidateId also = maker.add(9, "1,1", {}, IslandId{1}, false);
        maker.record(events::Marked{also, marked([&](Marks& m) { m.banned = true; })});
        QVERIFY(!admissionOf(maker.state, IslandId{1}, also, "1,1")->elite);
        maker.record(events::MarkUndone{best});
        QVERIFY(maker.state.islands[0] == before);
    }

    void aBanHoldsForCopiesThatMigrated()
    {
        StateMaker maker(2);
        maker.add(0.5, "0,0");
        const CandidateId best = maker.add(3, "1,1");
        Candidate copy = *maker.state.candidate(best);
        copy.id = {3};
        copy.island = {2};
        copy.parents = {best};
        copy.migrated = true;
        maker.record(events::Migrated{best, copy, "1,1", true, {}});
        QVERIFY(maker.state.islands[1].niches.contains("1,1"));
        maker.record(events::Marked{best, marked([&](Marks& m) { m.banned = true; })});
        QVERIFY(!maker.state.islands[1].niches.contains("1,1"));
        QVERIFY(isBanned(maker.state, {3}));
        maker.record(events::MarkUndone{best});
        QCOMPARE(maker.state.islands[1].niches.at("1,1"), CandidateId{3});
    }

    void whoIsBannedIsNotTheBestAndItsIslandsAndTheRunGoOnWithTheNext()
    {
        StateMaker maker(2);
        const CandidateId seed = maker.add(1, "0,0");
        const auto crown = [&](CandidateId id) {
            Evaluation evaluation;
            evaluation.id = {static_cast<std::int64_t>(maker.state.evaluations.size()) + 1};
            evaluation.candidate = id;
            evaluation.result.purpose = Purpose::Confirm;
            evaluation.result.outcome = Outcome::Ranked;
            evaluation.result.verdict = Verdict::Better;
            evaluation.result.score = maker.state.candidate(id)->score;
            maker.record(events::Evaluated{evaluation, 0});
            maker.record(events::IncumbentChanged{id});
        };
        crown(seed);
        const CandidateId second = maker.add(2, "1,1"), first = maker.add(3, "2,2");
        crown(second);
        crown(first);
        Candidate copy = *maker.state.candidate(first);
        copy.id = {static_cast<std::int64_t>(maker.state.candidates.size()) + 1};
        copy.island = {2};
        copy.parents = {first};
        copy.migrated = true;
        maker.record(events::Migrated{first, copy, "2,2", true, {}});
        const RunState before = maker.state;
        QCOMPARE(before.best()->id, first);
        QCOMPARE(before.islands[1].best, copy.id);

        maker.record(events::Marked{first, marked([](Marks& m) { m.banned = true; })});
        QCOMPARE(maker.state.islands[0].best, second);
        QVERIFY(!maker.state.islands[1].best);
        QCOMPARE(maker.state.best()->id, second);
        QVERIFY(maker.state.log.back().text.ends_with("the best is now " + candidateName(second)));
        QVERIFY(!becomesIncumbent(maker.state, first));
        QCOMPARE(whyNotBest(maker.state, *maker.state.candidate(first))->why, NotBest::Why::Banned);

        maker.record(events::MarkUndone{first});
        QVERIFY(maker.state.islands == before.islands);
        QCOMPARE(maker.state.best()->id, first);

        // The title comes back as well where another had it meanwhile that is slower.
        maker.record(events::Marked{first, marked([](Marks& m) { m.banned = true; })});
        const CandidateId meanwhile = maker.add(2.5, "3,3");
        crown(meanwhile);
        QCOMPARE(maker.state.best()->id, meanwhile);
        maker.record(events::MarkUndone{first});
        QCOMPARE(maker.state.best()->id, first);
        maker.record(events::Marked{second, marked([](Marks& m) { m.banned = true; })});
        maker.record(events::MarkUndone{second});
        QCOMPARE(maker.state.best()->id, first);
        for (const CandidateId id : {first, meanwhile, second, seed})
            maker.record(events::Marked{id, marked([](Marks& m) { m.banned = true; })});
        QVERIFY(!maker.state.best());
        QCOMPARE(maker.state.incumbent, seed); // something has to be measured against
    }

    void aBanTakesNothingOutOfThePastOfAnIslandsBests()
    {
        using Trace = std::vector<double>;
        StateMaker maker;
        maker.add(1, "0,0");
        const CandidateId second = maker.add(2, "1,1"), first = maker.add(5, "2,2");
        const auto bests = [&] {
            Trace scores;
            for (const auto& [results, score] : maker.state.islands[0].bestTrace)
                scores.push_back(score);
            return scores;
        };
        const auto ban = [&](CandidateId id) {
            maker.record(events::Marked{id, marked([](Marks& m) { m.banned = true; })});
        };
        QCOMPARE(bests(), (Trace{1, 2, 5}));
        ban(first);
        QCOMPARE(bests(), (Trace{1, 2, 5, 2})); // from there on
        maker.record(events::MarkUndone{first});
        QCOMPARE(bests(), (Trace{1, 2, 5})); // nothing came between
        ban(first);
        const CandidateId third = maker.add(3, "3,3");
        QCOMPARE(bests(), (Trace{1, 2, 5, 2, 3}));
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(maker.state.evaluations.size()) + 1};
        evaluation.candidate = third;
        evaluation.result.purpose = Purpose::Confirm;
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.score = Interval{2.5, 2.5, 2.5};
        maker.record(events::Evaluated{evaluation, 0}); // corrects what was told of it, and nothing before
        QCOMPARE(bests(), (Trace{1, 2, 5, 2, 2.5}));
        maker.record(events::MarkUndone{first});
        QCOMPARE(bests(), (Trace{1, 2, 5, 2, 2.5, 5}));
        QCOMPARE(maker.state.islands[0].best, first);

        // When each came and went stands in the record.
        const auto& bans = maker.state.bans;
        QCOMPARE(bans.size(), std::size_t(4));
        for (std::size_t i = 0; i < bans.size(); ++i) {
            QCOMPARE(bans[i].candidate, first);
            QCOMPARE(bans[i].isLifted, i % 2 == 1);
        }
        QCOMPARE(bans[2].evaluations, maker.state.resultsEver);
        ban(second); // it was not the best: nothing falls
        QCOMPARE(bests(), (Trace{1, 2, 5, 2, 2.5, 5}));
    }

    void whatAConfirmationTakesBackIsNoIslandsBest()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        const CandidateId second = maker.add(5, "1,1"), first = maker.add(6, "2,2");
        const auto confirm = [&](CandidateId id, double score) {
            Evaluation evaluation;
            evaluation.id = {static_cast<std::int64_t>(maker.state.evaluations.size()) + 1};
            evaluation.candidate = id;
            evaluation.result.purpose = Purpose::Confirm;
            evaluation.result.outcome = Outcome::Ranked;
            evaluation.result.score = Interval{score, score, score};
            maker.record(events::Evaluated{evaluation, 0});
            return maker.state.islands[0];
        };
        const auto bestsOf = [](const Island& island) {
            std::vector<double> scores;
            for (const auto& [evaluations, score] : island.bestTrace)
                scores.push_back(score);
            return scores;
        };
        Island island = confirm(first, 5.5); // less than it seemed, and still the best
        QCOMPARE(island.best, first);
        QCOMPARE(bestsOf(island), (std::vector<double>{1, 5, 5.5}));
        island = confirm(first, 4);
        QCOMPARE(island.best, second);
        QCOMPARE(bestsOf(island), (std::vector<double>{1, 5}));
        island = confirm(first, 7);
        QCOMPARE(island.best, first);
        QCOMPARE(bestsOf(island), (std::vector<double>{1, 5, 7}));
    }

    void aBoostMultipliesTheChanceOfALineageAndLeavesOtherIslandsAlone()
    {
        StateMaker maker(2);
        maker.add(0.5, "0,0");
        for (int i = 0; i < 9; ++i)
            maker.add(1 + i, std::to_string(i) + ",0");
        for (int i = 0; i < 5; ++i)
            maker.add(1 + i, std::to_string(i) + ",1", {}, IslandId{2});
        const CandidateId boosted{6};
        const RunState untouched = maker.state;
        const auto share = [&](const RunState& state) {
            int hits = 0;
            for (std::uint64_t draw = 0; draw < 20'000; ++draw) {
                CounterRandom random(7, 3, draw);
                hits += drawParents(state, state.islands[0], Focus::Crossover, random).front() == boosted ? 1 : 0;
            }
            return hits / 20'000.0;
        };
        const double usual = share(untouched);
        for (const double weight : {4.0, 0.25}) {
            maker.record(events::Marked{boosted, marked([&](Marks& m) { m.boost = weight; })});
            const double expected = usual * weight / (1 - usual + usual * weight);
            const double found = share(maker.state);
            QVERIFY2(std::abs(found - expected) < 0.012, qPrintable(QString::number(found)));
        }
        for (std::int64_t ordinal = 1; ordinal < 60; ++ordinal)
            QVERIFY(drawnRequest(maker.state, maker.state.islands[1], ordinal)
                == drawnRequest(untouched, untouched.islands[1], ordinal));
        maker.record(events::MarkUndone{boosted});
        maker.record(events::MarkUndone{boosted});
        for (std::int64_t ordinal = 1; ordinal < 60; ++ordinal)
            QVERIFY(drawnRequest(maker.state, maker.state.islands[0], ordinal)
                == drawnRequest(untouched, untouched.islands[0], ordinal));
    }

    void aBoostIsInheritedByDescendantsAndCountsOnce()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        maker.add(2, "1,0"); // a child of the first
        Candidate grandchild = *maker.state.candidate({2});
        grandchild.id = {3};
        grandchild.parents = {CandidateId{2}, CandidateId{1}};
        grandchild.program = sha256("grandchild");
        maker.record(events::CandidateMade{grandchild});
        Candidate stranger = grandchild;
        stranger.id = {4};
        stranger.parents = {};
        maker.record(events::CandidateMade{stranger});
        maker.record(events::Marked{{1}, marked([&](Marks& m) { m.boost = 3; })});
        maker.record(events::Marked{{2}, marked([&](Marks& m) { m.boost = 2; })});
        const RunState& state = maker.state;
        const std::vector<const Candidate*> all{
            state.candidate({1}), state.candidate({2}), state.candidate({3}), state.candidate({4})};
        QCOMPARE(lineageBoosts(state, all), (std::vector<double>{3, 6, 6, 1}));
        QVERIFY(lineageBoosts(state, {state.candidate({2}), state.candidate({3})}).empty());
    }

    void whoIsWorseThanAllIsNotAdmitted()
    {
        StateMaker maker;
        for (std::size_t i = 0; i < populationLimit; ++i)
            maker.add(10 + static_cast<double>(i), "0,0");
        const CandidateId late = maker.add(1, "0,0");
        const std::vector<CandidateId>& members = maker.state.islands[0].members;
        QVERIFY(std::find(members.begin(), members.end(), late) == members.end());
        QCOMPARE(maker.state.islands[0].admissions, static_cast<std::int64_t>(populationLimit));
    }

    void whatWasNotRankedIsNeverAdmitted()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        const CandidateId id = maker.add(5, "0,0", {}, IslandId{1}, false);
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(maker.state.evaluations.size()) + 1};
        evaluation.candidate = id;
        for (const Outcome outcome :
            {Outcome::Refused, Outcome::Quarantined, Outcome::BuildFailed, Outcome::RunFailed}) {
            evaluation.result.outcome = outcome;
            evaluation.id.value = static_cast<std::int64_t>(maker.state.evaluations.size()) + 1;
            maker.record(events::Evaluated{evaluation, 0});
            QVERIFY(!admissionOf(maker.state, IslandId{1}, id, "0,0"));
            QVERIFY(!becomesIncumbent(maker.state, id));
        }
    }

    void onlyAConfirmedBetterCandidateBecomesIncumbent_data()
    {
        QTest::addColumn<int>("purpose");
        QTest::addColumn<int>("verdict");
        QTest::addColumn<double>("score");
        QTest::addColumn<bool>("takesOver");
        QTest::newRow("confirmed, better, higher") << int(Purpose::Confirm) << int(Verdict::Better) << 3.0 << true;
        QTest::newRow("only screened") << int(Purpose::Screen) << int(Verdict::Better) << 3.0 << false;
        QTest::newRow("confirmed neutral") << int(Purpose::Confirm) << int(Verdict::Neutral) << 3.0 << false;
        QTest::newRow("confirmed worse, higher") << int(Purpose::Confirm) << int(Verdict::Worse) << 3.0 << false;
        // The pair was better side by side; the scores stem from different times.
        QTest::newRow("confirmed better with a score that chance made lower")
            << int(Purpose::Confirm) << int(Verdict::Better) << 1.99 << true;
    }

    void onlyAConfirmedBetterCandidateBecomesIncumbent()
    {
        QFETCH(int, purpose);
        QFETCH(int, verdict);
        QFETCH(double, score);
        QFETCH(bool, takesOver);
        StateMaker maker;
        maker.add(2, "0,0");
        const CandidateId challenger = maker.add(score, "0,0");
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(maker.state.evaluations.size()) + 1};
        evaluation.candidate = challenger;
        evaluation.result.purpose = Purpose(purpose);
        evaluation.result.verdict = Verdict(verdict);
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.score = Interval{score, score, score};
        maker.record(events::Evaluated{evaluation, 0});
        QCOMPARE(becomesIncumbent(maker.state, challenger), takesOver);
    }

    void theBestMovesToTheNextIslandInTheRing()
    {
        StateMaker maker(3);
        for (int i = 0; i < static_cast<int>(MigrationPlan().interval) - 1; ++i) {
            maker.add(1 + i, "0,0", {}, IslandId{3});
            QVERIFY(!migrationOf(maker.state, IslandId{3}));
        }
        const CandidateId best = maker.add(50, "2,2", {}, IslandId{3});
        auto migrated = migrationOf(maker.state, IslandId{3});
        QVERIFY(migrated.has_value());
        QCOMPARE(migrated->from, best);
        QCOMPARE(migrated->copy.island, IslandId{1});
        QCOMPARE(migrated->copy.program, maker.state.candidate(best)->program);
        QCOMPARE(migrated->copy.parents, std::vector<CandidateId>{best});
        QVERIFY(migrated->copy.migrated && migrated->elite);
        QCOMPARE(migrated->copy.evaluationNumber, 0);
        maker.record(*migrated);
        QVERIFY(!migrationOf(maker.state, IslandId{3}));
    }

    void aProgramDoesNotMigrateWhereItLivesAlready()
    {
        StateMaker maker(2);
        for (int i = 0; i < static_cast<int>(MigrationPlan().interval); ++i)
            maker.add(1 + i, "0,0");
        maker.record(*migrationOf(maker.state, IslandId{1}));
        const Hash first = maker.state.candidates.back().program;
        for (int i = 0; i < static_cast<int>(MigrationPlan().interval); ++i)
            maker.add(0.5, "0,0");
        const auto second = migrationOf(maker.state, IslandId{1});
        QVERIFY(second.has_value());
        QVERIFY(second->copy.program != first);
    }

    void requestsFollowFromSeedIslandAndOrdinalAlone()
    {
        StateMaker maker(4);
        for (int i = 0; i < 40; ++i)
            maker.add(1 + i % 7, std::to_string(i % 3) + ",1", {"m" + std::to_string(i % 5)}, IslandId{i % 4 + 1});
        const auto request = nextRequest(maker.state, {});
        QVERIFY(request.has_value());
        for (int i = 0; i < 10; ++i)
            QVERIFY(nextRequest(maker.state, {}) == request);
        const auto other = nextRequest(maker.state, {{request->island, 1}});
        QVERIFY(other.has_value() && other->island != request->island);
        maker.state.settings.seed = 2;
        int same = 0, all = 0;
        for (std::int64_t ahead = 0; ahead < 20; ++ahead) {
            const PendingRequests pending{
                {IslandId{1}, ahead}, {IslandId{2}, 99}, {IslandId{3}, 99}, {IslandId{4}, 99}};
            const auto second = nextRequest(maker.state, pending);
            maker.state.settings.seed = 1;
            const auto first = nextRequest(maker.state, pending);
            maker.state.settings.seed = 2;
            same += *first == *second;
            ++all;
        }
        QVERIFY(same < all);
    }

    void theIslandWithTheFewestRequestsIsNext()
    {
        StateMaker maker(3);
        maker.add(1, "0,0");
        for (int island = 2; island <= 3; ++island)
            maker.record(*admissionOf(maker.state, IslandId{island}, CandidateId{1}, "0,0"));
        PendingRequests pending;
        std::map<IslandId, int> turns;
        for (int i = 0; i < 9; ++i) {
            const auto request = nextRequest(maker.state, pending);
            QVERIFY(request.has_value());
            QCOMPARE(request->ordinal, pending[request->island] + 1);
            ++pending[request->island];
            ++turns[request->island];
        }
        for (const auto& [island, count] : turns)
            QCOMPARE(count, 3);
    }

    void nothingIsCrossedWithWhatItWasMadeFrom()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        maker.add(5, "1,1", {"a"});
        const auto crossings = [&] {
            int count = 0;
            for (std::int64_t ordinal = 1; ordinal <= 300; ++ordinal) {
                const auto request
                    = fittingRequest(maker.state, drawnRequest(maker.state, maker.state.islands[0], ordinal));
                count += request.focus == Focus::Crossover;
            }
            return count;
        };
        QCOMPARE(crossings(), 0);
        maker.add(6, "2,2", {"b"}); // from the seed as well, not from the other
        QVERIFY(crossings() > 3);
    }

    void aBannedSeedIsNobodysParentAlsoWhileItIsAwaited()
    {
        RunState state;
        state.islands.emplace_back().id = {1};
        Candidate seed;
        seed.id = {1};
        seed.island = {1};
        seed.stage = Stage::Screening;
        state.candidates.push_back(seed);
        CounterRandom random(1, 2, 3);
        QCOMPARE(drawParents(state, state.islands[0], Focus::Explore, random), std::vector<CandidateId>{seed.id});
        state.marks[seed.id].emplace_back().marks.banned = true;
        QVERIFY(drawParents(state, state.islands[0], Focus::Explore, random).empty());
    }

    void focusDrawsParentsItsOwnWay()
    {
        StateMaker maker;
        const CandidateId plain = maker.add(1, "0,0"), middling = maker.add(5, "1,1", {"a"}),
                          best = maker.add(9, "2,2", {"a", "b"});
        const CandidateId variant = maker.add(8.9, "2,2", {"b", "a"});
        std::map<Focus, std::map<CandidateId, int>> drawn;
        for (std::uint64_t i = 0; i < 600; ++i)
            for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Tune, Focus::Crossover}) {
                CounterRandom random(1, 2, i);
                const auto parents = drawParents(maker.state, maker.state.islands[0], focus, random);
                QCOMPARE(parents.size(), std::size_t(focus == Focus::Crossover ? 2 : 1));
                if (focus == Focus::Crossover)
                    QVERIFY(parents[0] != parents[1]);
                ++drawn[focus][parents[0]];
            }
        QVERIFY(drawn[Focus::Exploit][best] > 300);
        QVERIFY(drawn[Focus::Explore][plain] > 60);
        QVERIFY(drawn[Focus::Tune][best] > drawn[Focus::Tune][middling]);
        QVERIFY(drawn[Focus::Tune][middling] > 0);
        QCOMPARE(drawn[Focus::Tune][variant], 0); // the same structure, and not its best
    }

    void whoBroughtNothingNewTwiceIsPassedOverWhereThereAreOthers()
    {
        StateMaker maker;
        const CandidateId plain = maker.add(1, "0,0"), best = maker.add(9, "1,1", {"a"});
        const auto drawn = [&](CandidateId parent, bool tuned) {
            int count = 0;
            for (std::int64_t ordinal = 1; ordinal <= 200; ++ordinal) {
                const ProposalRequest request = drawnRequest(maker.state, maker.state.islands[0], ordinal);
                count += request.parents.front() == parent && (request.focus == Focus::Tune) == tuned;
            }
            return count;
        };
        const auto exhaust = [&](CandidateId parent) {
            Proposal proposal;
            proposal.id = {static_cast<std::int64_t>(maker.state.proposals.size()) + 1};
            proposal.island = IslandId{1};
            proposal.focus = Focus::Exploit;
            proposal.parents = {parent};
            maker.record(events::Proposed{proposal});
            maker.record(events::ProposalRefused{proposal.id, ProposalState::Refused, "proposer/exhausted", "", {}});
        };
        const int changed = drawn(best, false), tuned = drawn(best, true);
        QVERIFY(changed > 40 && tuned > 5);
        exhaust(best);
        QCOMPARE(drawn(best, false), changed); // it may have been chance
        exhaust(best);
        QCOMPARE(drawn(best, false), 0);
        QVERIFY(drawn(best, true) >= tuned); // its constants were not asked for
        QVERIFY(drawn(plain, false) > 40);
        exhaust(plain);
        exhaust(plain);
        QVERIFY(
            drawn(best, false) + drawn(plain, false) + drawn(best, true) + drawn(plain, true) == 200); // as they are
    }

    void aPartnerThatIsSlowerByFarIsPassedOverWhereThereAreOthers()
    {
        StateMaker maker;
        const CandidateId slow = maker.add(1, "0,0"), middling = maker.add(5, "1,1"), best = maker.add(9, "2,2");
        std::map<CandidateId, std::map<CandidateId, int>> partners;
        for (std::uint64_t i = 0; i < 300; ++i) {
            CounterRandom random(1, 2, i);
            const auto parents = drawParents(maker.state, maker.state.islands[0], Focus::Crossover, random);
            ++partners[parents[0]][parents[1]];
        }
        QCOMPARE(partners[best].size(), std::size_t(1));
        QVERIFY(partners[best][middling] > 0);
        QVERIFY(partners[middling][best] > 0 && partners[slow][best] > 0);
    }

    void paidRequestsAreAboutWhatIsNearTheBest()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        const CandidateId far = maker.add(50, "1,1"), best = maker.add(60, "2,2"), near = maker.add(56, "3,3");
        maker.record(events::IncumbentChanged{best});
        const auto parentsOf = [&](const std::string& proposer) {
            maker.state.settings.proposer = proposer;
            std::map<CandidateId, int> parents;
            for (std::int64_t ordinal = 1; ordinal <= 90; ++ordinal) {
                const ProposalRequest request = drawnRequest(maker.state, maker.state.islands[0], ordinal);
                if (request.focus != Focus::Tune)
                    ++parents[request.parents.front()];
            }
            return parents;
        };
        const auto paid = parentsOf("model:models.json"), free = parentsOf("mutator");
        QVERIFY(!paid.contains(far) && !paid.contains({1}) && paid.contains(near));
        QVERIFY2(paid.at(best) >= 25, std::to_string(paid.at(best)).c_str());
        QVERIFY(free.contains(far) && free.contains({1}));
        QCOMPARE(whyRequested(maker.state, {IslandId{1}, 1, Focus::Exploit, {best}}),
            std::string("the best program of the run"));
    }

    void whereNobodyOfTheIslandIsNearTheBestThoseOfOthersAreAskedAbout()
    {
        StateMaker maker(2);
        maker.add(1, "0,0");
        const CandidateId best = maker.add(60, "2,2"), own = maker.add(20, "1,1", {}, {2}),
                          other = maker.add(5, "3,3", {}, {2});
        maker.record(events::IncumbentChanged{best});
        maker.state.settings.proposer = "manual:letters";
        std::set<CandidateId> parents;
        for (std::int64_t ordinal = 1; ordinal <= 60; ++ordinal)
            if (const auto drawn = drawnRequest(maker.state, maker.state.islands[1], ordinal);
                drawn.focus != Focus::Tune)
                parents.insert(drawn.parents.front());
        QVERIFY(parents.contains(best) && !parents.contains(own) && !parents.contains(other));
    }

    void iterateGoesOnFromTheBestOfItsLine()
    {
        StateMaker maker;
        maker.state.islands[0].strategy = "iterate";
        maker.add(1, "0,0");
        const auto parentAt = [&](std::int64_t ordinal) {
            return strategyNamed("iterate")->request(maker.state, maker.state.islands[0], ordinal)->parents.front();
        };
        QCOMPARE(parentAt(1), CandidateId{1});
        const CandidateId first = maker.add(4, "0,1", {}, {1}, true, 1), second = maker.add(3, "0,2", {}, {1}, true, 2);
        QCOMPARE(parentAt(3), first); // odd ordinals are one line, even ones the other
        QCOMPARE(parentAt(4), second);
        maker.add(2, "0,3", {}, {1}, true, 4);
        QCOMPARE(parentAt(6), second);
        // A line that stands still continues from the best of all.
        for (int i = 0; i < 6; ++i)
            maker.add(2, "0,4", {}, {1}, true, 6 + 2 * i);
        QCOMPARE(parentAt(20), first);
        QVERIFY2(whyRequested(maker.state, {IslandId{1}, 20, Focus::Explore, {first}}).find("continues from the best")
                != std::string::npos,
            "the reason is told");
    }

    void bestOfNAlwaysBeginsAnew()
    {
        StateMaker maker;
        maker.add(1, "0,0");
        maker.add(4, "0,1");
        const auto request = strategyNamed("best-of-n")->request(maker.state, maker.state.islands[0], 7);
        QVERIFY(request && request->alone);
        QCOMPARE(request->parents, std::vector{CandidateId{1}});
    }

    void nichesAreCutAnewWhereTheProgramsFillLessThanHalfOfTheGrid()
    {
        Task task;
        task.niches = {{"code_bytes", true, 5}, {"tunables:KC", true, 7}};
        // 4096, 4352, … bytes: log2 12 to 12.75 of the 9 to 14 that the grid covers; KC goes over the whole of it.
        const auto feature = [](const NicheAxis& axis, const Candidate& candidate) {
            const auto number = static_cast<double>(candidate.id.value - 1);
            return std::optional(axis.feature == "code_bytes" ? 4096 + 256 * number : std::exp2(6 + 21 * number / 11));
        };
        StateMaker maker;
        for (int i = 0; i < 11; ++i)
            maker.add(1 + i, "3,0");
        QVERIFY(!dueScales(maker.state, task, feature)); // eleven programs say too little
        maker.add(20, "3,0");
        const auto scales = dueScales(maker.state, task, feature);
        QVERIFY(scales && scales->size() == 2);
        const double lowest = 12, highest = std::log2(4096 + 256 * 11);
        QVERIFY(scales->at(0).lo < lowest && scales->at(0).lo > lowest - 0.2);
        QVERIFY(scales->at(0).hi > highest && scales->at(0).hi < highest + 0.2);
        QCOMPARE(scales->at(1).lo, 6.0);
        QCOMPARE(scales->at(1).hi, 27.0);

        // Who holds a cell follows from the new cells, and an undo or a ban from there on.
        events::GridRebinned cut{*scales, {}, {}};
        for (const Candidate& candidate : maker.state.candidates) {
            cut.candidates.push_back(candidate.id);
            cut.cells.push_back(candidate.id.value % 2 ? "0,1" : "4,2");
        }
        maker.record(cut);
        const Island& island = maker.state.islands[0];
        QCOMPARE(
            island.niches, (std::map<std::string, CandidateId>{{"0,1", CandidateId{11}}, {"4,2", CandidateId{12}}}));
        QCOMPARE(maker.state.candidate({3})->cell, std::string("0,1"));
        QVERIFY(nicheScale(nicheAxes(maker.state, task)[0]) == scales->at(0));
        QVERIFY(!dueScales(maker.state, task, feature)); // it fits now
    }

    void nichesAreCutAnewWhereATenthOfTheProgramsLiesOutside()
    {
        Task task;
        task.niches = {{"code_bytes", true, 5}};
        const auto feature = [](const NicheAxis&, const Candidate& candidate) {
            return std::optional(
                candidate.id.value > 10 ? 65536.0 : std::exp2(9 + static_cast<double>(candidate.id.value) / 2));
        };
        StateMaker maker;
        for (int i = 0; i < 12; ++i)
            maker.add(1 + i, "0");
        const auto scales = dueScales(maker.state, task, feature);
        QVERIFY(scales && scales->at(0).hi > 16 && scales->at(0).lo < 9.5);
    }

    void stagnationExploresMore()
    {
        const auto exploring = [](int stale) {
            StateMaker maker(2);
            maker.add(10, "0,0", {}, IslandId{2});
            for (int i = 0; i < stale; ++i)
                maker.add(1, "0,0", {}, IslandId{2});
            int count = 0;
            for (std::uint64_t i = 0; i < 1000; ++i) {
                CounterRandom random(3, 3, i);
                count += drawFocus(maker.state, maker.state.islands[1], random) == Focus::Explore;
            }
            return count;
        };
        QVERIFY(exploring(60) > 2 * exploring(0));
    }

    void cellsNextToEachOtherAreNeighbours_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("neighbours");
        QTest::newRow("beside") << QStringLiteral("3,1") << QStringLiteral("2,1") << true;
        QTest::newRow("diagonal") << QStringLiteral("3,1") << QStringLiteral("4,0") << true;
        QTest::newRow("the same") << QStringLiteral("3,1") << QStringLiteral("3,1") << false;
        QTest::newRow("one of the two") << QStringLiteral("3,1") << QStringLiteral("5,1") << false;
        QTest::newRow("unknown") << QStringLiteral("unknown,1") << QStringLiteral("3,1") << false;
    }

    void cellsNextToEachOtherAreNeighbours()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QTEST(areNeighbours(a.toStdString(), b.toStdString()), "neighbours");
    }
};

TILEWRIGHT_TEST(TestEvolve)
#include "test_evolve.moc"
