// SPDX-License-Identifier: GPL-3.0-or-later
// How islands choose parents and who travels between them, at a user's word: the next request that the steering command
// affects beside that of an untouched twin, and all others as the twin's.
#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"
#include "tests/engine/dry_twins.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

RunSettings seeded(std::uint64_t seed)
{
    RunSettings settings;
    settings.seed = seed;
    return settings;
}

DryRun runOf(std::int64_t evaluations)
{
    DryRun run(gemmPack(), seeded(3));
    run.runTo(evaluations);
    return run;
}

CandidateId bestOf(const DryRun& run, IslandId island)
{
    return byFitness(run.state(), *run.state().island(island)).front()->id;
}

/// Both go on alike until the order would change what comes next; false if it never would.
bool goOnUntilItMatters(DryTwins& twins, const IslandCommand& order)
{
    for (int steps = 0; steps < 40; ++steps, twins.stepBoth()) {
        DryRun tried(twins.plain);
        tried.order(order);
        if (tried.next() != twins.plain.next())
            return true;
    }
    return false;
}

/// Who came to another island after so many candidates; null if nobody did.
const Candidate* migrantAfter(const RunState& state, std::size_t candidates)
{
    const auto found = std::ranges::find_if(state.candidates,
        [&](const Candidate& each) { return each.migrated && each.id.value > static_cast<std::int64_t>(candidates); });
    return found == state.candidates.end() ? nullptr : &*found;
}

/// Both go on alike until the next result sends somebody round the ring who would be the best of another island than
/// the one it comes to; from where, and to that other one.
std::optional<MigrationPlan::Edge> goOnUntilOneTravels(DryTwins& twins)
{
    for (int steps = 0; steps < 80; ++steps, twins.stepBoth()) {
        DryRun next(twins.plain);
        next.runTo(next.state().evaluationsStarted + 1);
        const Candidate* migrant = migrantAfter(next.state(), twins.plain.state().candidates.size());
        if (!migrant)
            continue;
        const IslandId from = next.state().candidate(migrant->parents.front())->island;
        for (const Island& island : next.state().islands)
            if (island.id != from && island.id != migrant->island && !livesThere(next.state(), island, migrant->program)
                && fitnessOf(*next.state().candidate(island.best)) < fitnessOf(*migrant))
                return MigrationPlan::Edge{from, island.id};
    }
    return std::nullopt;
}

/// Two of the islands, of which the first has a better best, of a program that the second has not.
std::optional<MigrationPlan::Edge> betterAndLesser(const DryRun& run)
{
    const RunState& state = run.state();
    for (const Island& better : state.islands)
        for (const Island& lesser : state.islands) {
            const Candidate& best = *state.candidate(bestOf(run, better.id));
            if (fitnessOf(best) > fitnessOf(*state.candidate(bestOf(run, lesser.id)))
                && !livesThere(state, lesser, best.program))
                return MigrationPlan::Edge{better.id, lesser.id};
        }
    return std::nullopt;
}

/// Both go on alike until the next result sends somebody by this plan who is the best where it comes to, and nobody by
/// the one that holds.
bool goOnUntilOneTravelsSooner(DryTwins& twins, const MigrationPlan& sooner)
{
    for (int steps = 0; steps < 80; ++steps, twins.stepBoth()) {
        const std::size_t known = twins.plain.state().candidates.size();
        DryRun tried(twins.plain), same(twins.plain);
        tried.order(commands::PlanMigration{sooner});
        for (DryRun* run : {&tried, &same})
            run->runTo(run->state().evaluationsStarted + 1);
        const Candidate* migrant = migrantAfter(tried.state(), known);
        if (migrant && !migrantAfter(same.state(), known) && bestOf(tried, migrant->island) == migrant->id)
            return true;
    }
    return false;
}

/// What the island asks for next, if it edits its best alone.
ProposalRequest nextEditOfItsBest(DryRun run, IslandId island)
{
    run.order(commands::SteerIsland{island, editsItsBest()});
    return nextOfEach(run).at(island);
}

} // namespace

class TestSearchTwins : public QObject
{
    Q_OBJECT

    const DryRun m_young = runOf(12), m_far = runOf(40);

    /// What comes next differs, in its parents alone; what every other island is asked for is the twin's.
    static void compareButParents(const DryTwins& twins, IslandId island)
    {
        const auto plain = nextOfEach(twins.plain), steered = nextOfEach(twins.steered);
        for (const auto& [id, request] : plain) {
            ProposalRequest as = steered.at(id);
            QCOMPARE(as != request, id == island);
            as.parents = request.parents;
            QCOMPARE(as, request);
        }
    }

    /// The proposals that both make next, on the same island with the same number.
    static std::pair<Proposal, Proposal> nextProposals(DryTwins& twins)
    {
        const std::size_t at = twins.plain.state().proposals.size();
        twins.stepBoth();
        return {twins.plain.state().proposals[at], twins.steered.state().proposals[at]};
    }

private Q_SLOTS:
    void aColdIslandsNextEditIsOfItsBestAndTheTwinsIsNot()
    {
        DryTwins twins(m_far);
        const auto cold = steering(2, [](IslandSteering& one) { one.selection = 0.05; });
        QVERIFY(goOnUntilItMatters(twins, cold));
        QVERIFY(twins.plain.state() == twins.steered.state());
        twins.steered.order(cold);
        compareButParents(twins, {2});
        const CandidateId best = bestOf(twins.steered, {2});
        const auto [plain, steered] = nextProposals(twins);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(plain.island, plain.ordinal));
        QCOMPARE(steered.island, IslandId{2});
        QCOMPARE(steered.parents.front(), best);
        QVERIFY(plain.parents.front() != best);
    }

    void aHotIslandsNextEditIsOfALesserOneThanTheTwins()
    {
        DryTwins twins(m_far);
        const auto hot = steering(2, [](IslandSteering& one) { one.selection = 20; });
        QVERIFY(goOnUntilItMatters(twins, hot));
        twins.steered.order(hot);
        compareButParents(twins, {2});
        const RunState before = twins.steered.state();
        const auto [plain, steered] = nextProposals(twins);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(plain.island, plain.ordinal));
        QVERIFY(fitnessOf(*before.candidate(steered.parents.front()))
            < fitnessOf(*before.candidate(plain.parents.front())));
    }

    void withTheWeightOnNeighboursTheNextExploringStartsBesideTheBest()
    {
        DryTwins twins(m_far);
        // Both explore; the one from anybody, the other from a cell next to the best one's.
        twins.orderBoth(steering(1, [](IslandSteering& one) { one.mix = FocusMix{1, 0, 0, 0, 0}; }));
        const auto near = steering(1, [](IslandSteering& one) { one.mix = FocusMix{0, 1, 0, 0, 0}; });
        QVERIFY(goOnUntilItMatters(twins, near));
        twins.steered.order(near);
        compareButParents(twins, {1});
        const RunState before = twins.steered.state();
        const std::string best = before.candidate(bestOf(twins.steered, {1}))->cell;
        const auto [plain, steered] = nextProposals(twins);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(IslandId{1}, plain.ordinal));
        QCOMPARE(steered.focus, Focus::Explore);
        QCOMPARE(plain.focus, Focus::Explore);
        QVERIFY(areNeighbours(before.candidate(steered.parents.front())->cell, best));
        // It is the weight that brought it there: among many draws the twin takes others, it takes none.
        int strangers = 0;
        PendingRequests pending{{{2}, 1 << 20}, {{3}, 1 << 20}, {{4}, 1 << 20}};
        for (int i = 0; i < 40; ++i, ++pending[{1}])
            strangers += !areNeighbours(before.candidate(nextRequest(before, pending)->parents.front())->cell, best);
        QCOMPARE(strangers, 0);
    }

    void aCloneIsAskedNextForEditsOfItsOwnCopiesAndTheOthersAsTheTwins()
    {
        DryTwins twins(m_far);
        twins.orderBoth(commands::SteerIsland{{2}, editsItsBest()});
        twins.orderBoth(commands::PlanMigration{{MigrationPlan::Ways::Off, {}, 6}}); // nobody better comes meanwhile
        const CandidateId best = bestOf(twins.plain, {2});
        twins.steered.order(commands::CloneIsland{{2}});
        const auto plain = nextOfEach(twins.plain);
        auto steered = nextOfEach(twins.steered);
        const ProposalRequest ofClone = steered.at({5});
        QCOMPARE(ofClone.ordinal, 1);
        QCOMPARE(ofClone.focus, Focus::Exploit); // it is steered as the original
        const Candidate parent = *twins.steered.state().candidate(ofClone.parents.front());
        QCOMPARE(parent.island, IslandId{5});
        QCOMPARE(parent.parents, std::vector<CandidateId>{best});
        QCOMPARE(parent.program, twins.plain.state().candidate(best)->program);
        steered.erase({5});
        QCOMPARE(steered, plain);
        // And it proposes so within a round.
        const std::size_t known = twins.steered.state().proposals.size();
        twins.steered.runTo(twins.steered.state().evaluationsStarted + 5);
        const RunState& after = twins.steered.state();
        const auto made = std::ranges::find_if(after.proposals, [&](const Proposal& each) {
            return each.island == IslandId{5} && each.id.value > static_cast<std::int64_t>(known);
        });
        QVERIFY(made != after.proposals.end());
        QCOMPARE(made->parents, std::vector<CandidateId>{parent.id});
    }

    void whatAMergedIslandHadBestIsTheNextParentOfItsHeir()
    {
        DryTwins twins(m_far);
        twins.orderBoth(commands::PlanMigration{{MigrationPlan::Ways::Off, {}, 6}});
        const auto pair = betterAndLesser(twins.plain);
        QVERIFY(pair);
        const auto [merged, heir] = *pair;
        twins.orderBoth(commands::SteerIsland{heir, editsItsBest()});
        const Hash best = twins.plain.state().candidate(bestOf(twins.plain, merged))->program;
        const auto plain = nextOfEach(twins.plain);
        twins.steered.order(commands::MergeIsland{merged, heir});
        const auto steered = nextOfEach(twins.steered);
        QVERIFY(!steered.contains(merged));
        for (const auto& [island, request] : steered) {
            ProposalRequest as = request;
            QCOMPARE(as != plain.at(island), island == heir);
            as.parents = plain.at(island).parents;
            QCOMPARE(as, plain.at(island));
        }
        const auto programOf = [](const DryRun& run, const ProposalRequest& request) {
            return run.state().candidate(request.parents.front())->program;
        };
        QCOMPARE(programOf(twins.steered, steered.at(heir)), best);
        QVERIFY(programOf(twins.plain, plain.at(heir)) != best);
    }

    void anIslandThatBeginsAgainWithTheBestEditsThatNextAndTheTwinsItsOwn()
    {
        DryTwins twins(m_far);
        const IslandId lesser = betterAndLesser(twins.plain).value().second;
        const CandidateId own = bestOf(twins.plain, lesser);
        twins.steered.order(commands::ResetIsland{lesser, commands::Beginning::Best});
        compareButParents(twins, lesser);
        const RunState& state = twins.steered.state();
        const Candidate migrant = *state.candidate(state.island(lesser)->members.front());
        QCOMPARE(state.island(lesser)->members, std::vector<CandidateId>{migrant.id});
        QVERIFY(fitnessOf(migrant) > fitnessOf(*twins.plain.state().candidate(own)));
        QCOMPARE(nextOfEach(twins.steered).at(lesser).parents.front(), migrant.id);
        QVERIFY(nextOfEach(twins.plain).at(lesser).parents.front() != migrant.id);
    }

    void withAShorterIntervalOneTravelsAndIsAParentWhereTheTwinsWaits()
    {
        DryTwins twins(m_young);
        const MigrationPlan sooner{MigrationPlan::Ways::Ring, {}, 2};
        QVERIFY(goOnUntilOneTravelsSooner(twins, sooner));
        twins.steered.order(commands::PlanMigration{sooner});
        QVERIFY(nextOfEach(twins.plain) == nextOfEach(twins.steered));
        const std::size_t known = twins.plain.state().candidates.size();
        const auto [made, same] = nextProposals(twins);
        QVERIFY(made == same);
        QVERIFY(!migrantAfter(twins.plain.state(), known));
        const RunState after = twins.steered.state();
        const Candidate* migrant = migrantAfter(after, known);
        QVERIFY(migrant);
        QCOMPARE(nextEditOfItsBest(twins.steered, migrant->island).parents, std::vector<CandidateId>{migrant->id});
        const CandidateId other = nextEditOfItsBest(twins.plain, migrant->island).parents.front();
        QVERIFY(twins.plain.state().candidate(other)->program != migrant->program);
    }

    void theNextMigrantTakesTheDrawnWayAndIsAParentThere()
    {
        DryTwins twins(m_young);
        const auto way = goOnUntilOneTravels(twins);
        QVERIFY(way);
        QVERIFY(nextOfEach(twins.plain) == nextOfEach(twins.steered));
        twins.steered.order(commands::PlanMigration{{MigrationPlan::Ways::Drawn, {*way}, 6}});
        const std::size_t known = twins.plain.state().candidates.size();
        const auto [made, same] = nextProposals(twins);
        QVERIFY(made == same);
        const RunState plain = twins.plain.state(), steered = twins.steered.state();
        const Candidate *round = migrantAfter(plain, known), *drawn = migrantAfter(steered, known);
        QVERIFY(round && drawn);
        QCOMPARE(drawn->parents, round->parents); // the same one travels
        QCOMPARE(round->island, IslandId{way->first.value % 4 + 1});
        QCOMPARE(drawn->island, way->second);
        QVERIFY(round->island != drawn->island);
        // Where it came to it is the next parent of an island that edits its best; not so on the twin's.
        QCOMPARE(nextEditOfItsBest(twins.steered, drawn->island).parents, std::vector<CandidateId>{drawn->id});
        const CandidateId other = nextEditOfItsBest(twins.plain, drawn->island).parents.front();
        QVERIFY(plain.candidate(other)->program != drawn->program);
    }

    void withMigrationOffTheNextParentIsANativeWhereTheTwinsIsAMigrant()
    {
        DryTwins twins(m_young);
        const std::size_t known = twins.plain.state().candidates.size();
        twins.steered.order(commands::PlanMigration{{MigrationPlan::Ways::Off, {}, 6}});
        for (int steps = 0; steps < 40 && !migrantAfter(twins.plain.state(), known); ++steps) {
            QVERIFY(nextOfEach(twins.plain) == nextOfEach(twins.steered));
            twins.stepBoth();
        }
        const RunState plain = twins.plain.state(), steered = twins.steered.state();
        const Candidate* migrant = migrantAfter(plain, known);
        QVERIFY(migrant);
        QVERIFY(!migrantAfter(steered, known));
        const ProposalRequest there = nextEditOfItsBest(twins.plain, migrant->island),
                              here = nextEditOfItsBest(twins.steered, migrant->island);
        QCOMPARE(there.parents, std::vector<CandidateId>{migrant->id});
        QVERIFY(!steered.candidate(here.parents.front())->migrated);
        QCOMPARE(std::pair(there.island, there.ordinal), std::pair(here.island, here.ordinal));
    }
};

TILEWRIGHT_TEST(TestSearchTwins)
#include "test_search_twins.moc"
