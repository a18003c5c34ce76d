// SPDX-License-Identifier: GPL-3.0-or-later
// Orders to islands: for each a twin run with the same seed that goes without, and what then differs.
#include "core/evolve/boosts.h"
#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"
#include "core/evolve/stagnation.h"
#include "core/model/event.h"
#include "core/model/requests/steering_words.h"
#include "tests/engine/dry_twins.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

constexpr std::int64_t before = 40; ///< evaluations of both twins until the order

RunSettings settingsOf(std::uint64_t seed = 3)
{
    RunSettings settings;
    settings.seed = seed;
    return settings;
}

DryRun runTo(std::int64_t evaluations)
{
    DryRun run(gemmPack(), settingsOf());
    run.runTo(evaluations);
    return run;
}

std::string codeOf(const DryRun& run, const IslandCommand& order)
{
    const auto events = eventsOf(order, run.state());
    return events ? std::string() : events.error().code;
}

std::vector<Hash> programsOf(const RunState& state, const Island& island)
{
    std::vector<Hash> programs;
    for (const CandidateId id : island.members)
        programs.push_back(state.candidate(id)->program);
    std::ranges::sort(programs);
    return programs;
}

} // namespace

class TestIslandEvents : public QObject
{
    Q_OBJECT

    const DryRun m_young = runTo(12), m_far = runTo(before);

private Q_SLOTS:
    void steeringReadsBackFromItsSteps()
    {
        const std::vector<IslandSteering> all{{}, {Focus::Tune, {}, 1, {}}, {{}, FocusMix{2, 0, 0.5, 0, 1}, 0.25, {}},
            {Focus::Explore, {}, 3, 0.7}, {{}, {}, 1, 0}, {{}, {}, 1, {}, 2, {{"mutator", 1}, {"model:a=b:7", 2.5}}},
            {{}, FocusMix{1, 0, 0, 0, 2}, 1, {}, 2, {{"manual", 0}, {"tuner", 3}}}, {{}, {}, 1, {}, 5}};
        for (const IslandSteering& wanted : all) {
            IslandSteering steering;
            for (const std::string& step : stepsTo(wanted)) {
                const std::size_t equals = step.find('=');
                const auto next = steeredBy(steering, step.substr(0, equals), step.substr(equals + 1));
                QVERIFY2(next.has_value(), step.c_str());
                steering = *next;
            }
            QVERIFY(steering == wanted);
            QVERIFY(steeredBy(steering, "mix", "session")->proposers.empty());
            QVERIFY(steeredBy(steering, "mix", "session")->mix == wanted.mix);
            QVERIFY(steeredBy(steering, "focus", "tune")->proposers == wanted.proposers);
        }
        for (const auto& [what, word] : std::vector<std::pair<const char*, const char*>>{{"focus", "repair"},
                 {"mix", "explore"}, {"mix", "mutator"}, {"mix", "mutator=1,explore=2"}, {"mix", "model:=1"},
                 {"mix", "tuner=much"}, {"mix", "explore=1,explore=3"}, {"mix", "tuner=1,mutator=2,tuner=0"},
                 {"mix", "explore=2,mutator=1"}, {"selection", "warm"}, {"temperature", ""}, {"colour", "red"}})
            QCOMPARE(steeredBy({}, what, word).error().code, std::string("island/value"));
    }

    void aMixOfKindsAndProposersIsRefusedWithBothNamed()
    {
        for (const char* word :
            {"explore=2,mutator=1", "mutator=1,explore=2", "explore=2,model:a=1", "tuner=1,tune=1"}) {
            const auto refused = steeredBy({}, "mix", word);
            QVERIFY2(!refused && refused.error().text.find("not of both") != std::string::npos, word);
            for (const char* name : {"explore=", "crossover=", "mutator=", "model:NAME="})
                QVERIFY2(refused.error().hint.find(name) != std::string::npos, name);
        }
        QCOMPARE(steeredBy({}, "mix", "explore=1,explore=3").error().text, std::string("the mix names explore twice"));
        QCOMPARE(steeredBy({}, "mix", "model:a=1,model:a=1").error().text, std::string("the mix names model:a twice"));
        const auto unknown = steeredBy({}, "mix", "speed=1");
        QVERIFY(unknown.error().hint.find("explore=") != std::string::npos);
        QVERIFY(unknown.error().hint.find("mutator=") != std::string::npos);
        QVERIFY(steeredBy({}, "mix", "tuner=1,mutator=0"));
        QVERIFY(steeredBy({}, "mix", "model:a=b=1")); // a model's name may hold one
    }

    void theNameOfAnIslandIsNoLongerThanATag()
    {
        const RunState& state = m_young.state();
        const auto added = [&](std::size_t bytes) {
            return eventsOf(commands::AddIsland{std::string(bytes, 'x'), Focus::Explore}, state);
        };
        QVERIFY(added(40));
        QCOMPARE(added(41).error().code, std::string("island/value"));
        QVERIFY(added(300).error().text.find("300 bytes") != std::string::npos);
        QVERIFY(added(300).error().hint.find("at most 40 bytes") != std::string::npos);
    }

    void whoIsAskedIsDrawnByTheWeightsOfThoseWhoCanBe()
    {
        RunState state = m_young.state();
        events::IslandSteered steered{{2}, {}};
        steered.steering.proposers = {{"model:a", 1}, {"model:b", 2}, {"mutator", 1}, {"tuner", 0}};
        QCOMPARE(drawnProposer(state, {{2}, 1, Focus::Explore, {}}, "model"), std::string()); // no mix
        QVERIFY(apply(state, {state.run, state.lastSeq + 1, "", steered}).has_value());
        QVERIFY(mixesBuiltIn(state));
        const auto drawn = [&](IslandId island, std::string_view outside) {
            std::map<std::string, int> times;
            for (std::int64_t ordinal = 1; ordinal <= 2000; ++ordinal)
                ++times[drawnProposer(state, {island, ordinal, Focus::Explore, {{1}}}, outside)];
            return times;
        };
        const auto shares = drawn({2}, "model");
        QCOMPARE(shares.size(), std::size_t(2));
        QVERIFY2(std::abs(shares.at("model") - 1500) < 80, qPrintable(QString::number(shares.at("model"))));
        QVERIFY(drawn({2}, "model") == shares); // the same state, the same draws
        QVERIFY((drawn({2}, "") == std::map<std::string, int>{{"mutator", 2000}})); // nobody outside can be asked
        QVERIFY((drawn({2}, "manual") == std::map<std::string, int>{{"mutator", 2000}}));
        steered.steering.proposers = {{"mutator", 1}, {"tuner", 5}};
        QVERIFY(apply(state, {state.run, state.lastSeq + 1, "", steered}).has_value());
        QVERIFY((drawn({2}, "") == std::map<std::string, int>{{"mutator", 2000}})); // the seed has nothing to tune
        const auto tunable = std::ranges::find_if(
            state.candidates, [](const Candidate& candidate) { return !candidate.tunables.empty(); });
        QVERIFY(tunable != state.candidates.end());
        int tuned = 0;
        for (std::int64_t ordinal = 1; ordinal <= 600; ++ordinal)
            tuned += drawnProposer(state, {{2}, ordinal, Focus::Explore, {(*tunable).id}}, "") == "tuner";
        QVERIFY2(std::abs(tuned - 500) < 40, qPrintable(QString::number(tuned)));
        steered.steering.proposers = {{"tuner", 5}};
        QVERIFY(apply(state, {state.run, state.lastSeq + 1, "", steered}).has_value());
        QVERIFY((drawn({2}, "") == std::map<std::string, int>{{"tuner", 2000}})); // nobody else has a weight
        QVERIFY((drawn({1}, "model") == std::map<std::string, int>{{"", 2000}}));
    }

    void aMixOfProposersThatMakesNoSenseIsRefused()
    {
        for (const ProposerMix& mix : {ProposerMix{{"mutator", -1}}, ProposerMix{{"mutator", 0}, {"tuner", 0}},
                 ProposerMix{{"oracle", 1}}, ProposerMix{{"model:", 1}}}) {
            IslandSteering steering;
            steering.proposers = mix;
            const auto sound = checkSteering(steering);
            QVERIFY(!sound);
            QCOMPARE(sound.error().code, std::string("island/value"));
        }
    }

    void migrationReadsBackFromItsWord()
    {
        using Ways = MigrationPlan::Ways;
        const std::vector<MigrationPlan> all{{}, {Ways::Off, {}, 6}, {Ways::Drawn, {{{1}, {3}}, {{3}, {2}}}, 9}};
        for (const MigrationPlan& wanted : all) {
            MigrationPlan plan{Ways::Drawn, {{{7}, {8}}}, wanted.interval};
            QVERIFY(plannedBy(plan, wordOfWays(wanted)) == wanted);
        }
        for (const char* word : {"", "circle", "A>", ">B", "A>B,", "A<B"})
            QCOMPARE(plannedBy({}, word).error().code, std::string("island/value"));
    }

    void twinsWithoutAnOrderProposeTheSame()
    {
        DryTwins twins(m_far);
        for (DryRun* run : {&twins.plain, &twins.steered})
            run->runTo(before + 10);
        QVERIFY(twins.plain.state() == twins.steered.state());
        QCOMPARE(nextOfEach(twins.plain), nextOfEach(twins.steered));
        QCOMPARE(nextOfEach(twins.plain).size(), std::size_t(4));
    }

    void aPausedIslandGetsNoProposalsAndTheOthersItsShare()
    {
        DryTwins twins(m_far);
        twins.steered.order(commands::PauseIsland{{2}});
        const auto plain = turnsOf(twins.plain, 24), steered = turnsOf(twins.steered, 24);
        QCOMPARE(plain.at({2}), 6);
        QVERIFY(!steered.contains({2}));
        QCOMPARE(steered.at({1}) + steered.at({3}) + steered.at({4}), 24);
        // Those of the others are what they would have been.
        auto others = nextOfEach(twins.plain);
        others.erase({2});
        QCOMPARE(nextOfEach(twins.steered), others);
        const std::int64_t offered = islandOf(twins.steered, 2).proposals;
        twins.steered.runTo(before + 30);
        QCOMPARE(islandOf(twins.steered, 2).proposals, offered);
        QCOMPARE(islandOf(twins.plain, 2).proposals, offered);
    }

    void anIslandThatGoesOnTakesItsShareAndNoMore()
    {
        DryTwins twins(m_far);
        const auto at = nextOfEach(twins.plain).at({2});
        twins.steered.order(commands::PauseIsland{{2}});
        twins.steered.runTo(before + 40);
        twins.steered.order(commands::ResumeIsland{{2}});
        const auto asked = turnsOf(twins.steered, 40);
        for (std::int64_t id = 1; id <= 4; ++id)
            QVERIFY2(std::abs(asked.at({id}) - 10) <= 1, qPrintable(QString::number(asked.at({id}))));
        QCOMPARE(nextOfEach(twins.steered).at({2}).ordinal, at.ordinal); // its numbers go on without a gap
    }

    void aForcedFocusIsWhatTheNextProposalAsksFor_data()
    {
        QTest::addColumn<int>("focus");
        for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Tune, Focus::Crossover})
            QTest::newRow(nameOf(focus).c_str()) << static_cast<int>(focus);
    }

    void aForcedFocusIsWhatTheNextProposalAsksFor()
    {
        QFETCH(int, focus);
        const Focus wanted = static_cast<Focus>(focus);
        DryTwins twins(m_far);
        for (std::int64_t island = 1; island <= 4; ++island)
            twins.steered.order(steering(island, [&](IslandSteering& one) { one.focus = wanted; }));
        const auto plain = nextOfEach(twins.plain), steered = nextOfEach(twins.steered);
        int differ = 0;
        for (const auto& [island, request] : steered) {
            QCOMPARE(request.focus, wanted);
            QCOMPARE(request.ordinal, plain.at(island).ordinal);
            if (plain.at(island).focus == wanted) // what it would have been asked for anyway
                QCOMPARE(request, plain.at(island));
            else
                ++differ;
        }
        QVERIFY(differ > 0);
        for (std::int64_t island = 1; island <= 4; ++island)
            twins.steered.order(commands::UndoIslandCommand{});
        QCOMPARE(nextOfEach(twins.steered), plain);
    }

    void aMixDecidesWhatAnIslandIsAskedFor()
    {
        DryTwins twins(m_far);
        twins.steered.order(steering(1, [](IslandSteering& one) { one.mix = FocusMix{0, 0, 3, 1, 0}; }));
        std::map<Focus, int> drawn;
        PendingRequests pending{{{2}, 1 << 20}, {{3}, 1 << 20}, {{4}, 1 << 20}}; // island A's turn each time
        for (int i = 0; i < 400; ++i) {
            const auto request = nextRequest(twins.steered.state(), pending);
            QCOMPARE(request->island, IslandId{1});
            ++drawn[request->focus];
            ++pending[{1}];
        }
        QVERIFY(!drawn.contains(Focus::Tune));
        QVERIFY(!drawn.contains(Focus::Explore));
        QVERIFY2(std::abs(drawn[Focus::Exploit] - 300) < 40, qPrintable(QString::number(drawn[Focus::Exploit])));
        auto others = nextOfEach(twins.plain), steered = nextOfEach(twins.steered);
        others.erase({1});
        steered.erase({1});
        QCOMPARE(steered, others);
    }

    void theWeightOfNeighboursChoosesParentsBesideTheBest()
    {
        DryTwins twins(m_far);
        twins.steered.order(steering(1, [](IslandSteering& one) { one.mix = FocusMix{0, 1, 0, 0, 0}; }));
        const RunState& state = twins.steered.state();
        const auto ranked = byFitness(state, *state.island({1}));
        const std::string best = ranked.front()->cell;
        const bool hasNeighbours = std::ranges::any_of(
            ranked, [&](const Candidate* each) { return each->cell.size() == best.size() && each->cell != best; });
        QVERIFY(hasNeighbours);
        PendingRequests pending{{{2}, 1 << 20}, {{3}, 1 << 20}, {{4}, 1 << 20}};
        std::set<std::string> cells;
        for (int i = 0; i < 60; ++i) {
            const auto request = nextRequest(state, pending);
            QCOMPARE(request->focus, Focus::Explore);
            cells.insert(state.candidate(request->parents.front())->cell);
            ++pending[{1}];
        }
        // Where the best one has neighbours they alone are chosen, else anybody.
        std::set<std::string> near;
        for (const Candidate* each : ranked)
            if (areNeighbours(each->cell, best))
                near.insert(each->cell);
        if (!near.empty())
            QVERIFY(std::ranges::all_of(cells, [&](const std::string& cell) { return near.contains(cell); }));
    }

    void aColdIslandEditsItsBestAlone()
    {
        DryTwins twins(m_far);
        const auto bestShare = [](const DryRun& run, double temperature) {
            PendingRequests pending{{{1}, 1 << 20}, {{3}, 1 << 20}, {{4}, 1 << 20}};
            const CandidateId best = byFitness(run.state(), islandOf(run, 2)).front()->id;
            int hits = 0;
            RunState state = run.state();
            const Event steered{state.run, state.lastSeq + 1, "",
                events::IslandSteered{{2}, {Focus::Exploit, std::nullopt, temperature, std::nullopt}}};
            if (!apply(state, steered))
                return -1;
            for (int i = 0; i < 200; ++i) {
                hits += nextRequest(state, pending)->parents.front() == best ? 1 : 0;
                ++pending[{2}];
            }
            return hits;
        };
        const int cold = bestShare(twins.plain, 0.05), usual = bestShare(twins.plain, 1),
                  hot = bestShare(twins.plain, 20);
        QCOMPARE(cold, 200);
        QVERIFY2(usual < cold && usual > 100, qPrintable(QString::number(usual)));
        QVERIFY2(hot < usual / 2, qPrintable(QString::number(hot)));
    }

    void aNewIslandBeginsWithTheSeedAndOwesNoTurns()
    {
        DryTwins twins(m_far);
        twins.steered.order(commands::AddIsland{"", Focus::Tune});
        QCOMPARE(twins.steered.state().islands.size(), std::size_t(5));
        const Island& made = islandOf(twins.steered, 5);
        QCOMPARE(made.name, std::string("Tune"));
        QCOMPARE(made.focus, Focus::Tune);
        QCOMPARE(made.members, std::vector<CandidateId>{CandidateId{1}});
        const auto asked = turnsOf(twins.steered, 50);
        for (std::int64_t id = 1; id <= 5; ++id)
            QVERIFY2(std::abs(asked.at({id}) - 10) <= 1, qPrintable(QString::number(asked.at({id}))));
        const auto steered = nextOfEach(twins.steered);
        QCOMPARE(steered.at({5}).parents, std::vector<CandidateId>{CandidateId{1}});
        QCOMPARE(steered.at({5}).ordinal, 1);
        for (const auto& [island, request] : nextOfEach(twins.plain))
            QCOMPARE(steered.at(island), request);
        twins.steered.order(commands::UndoIslandCommand{});
        QVERIFY(!turnsOf(twins.steered, 50).contains({5}));
        QCOMPARE(islandOf(twins.steered, 5).standing, Standing::Ended);
    }

    void aCloneHasTheSameProgramsAsCandidatesOfItsOwn()
    {
        DryTwins twins(m_far);
        twins.steered.order(steering(2, [](IslandSteering& one) { one.selection = 2; }));
        const std::int64_t started = twins.steered.state().evaluationsStarted;
        const std::int64_t migrated = islandOf(twins.steered, 2).lastMigration;
        const std::size_t marks = twins.steered.state().migrations.size();
        twins.steered.order(commands::CloneIsland{{2}});
        const RunState& state = twins.steered.state();
        const Island &original = *state.island({2}), &copy = *state.island({5});
        QCOMPARE(programsOf(state, copy), programsOf(state, original));
        QCOMPARE(copy.steering, original.steering);
        QCOMPARE(copy.focus, original.focus);
        QCOMPARE(state.evaluationsStarted, started); // nothing is measured again
        QCOMPARE(original.lastMigration, migrated); // nor has anybody migrated
        QVERIFY(state.migrations.size() > marks);
        for (std::size_t i = marks; i < state.migrations.size(); ++i)
            QVERIFY(state.migrations[i].byOrder && state.migrations[i].to == IslandId{5});
        QVERIFY(std::ranges::none_of(state.log,
            [](const LogLine& line) { return line.text.find("migrated to island E") != std::string::npos; }));
        for (const CandidateId id : copy.members)
            QVERIFY(id == CandidateId{1} || state.candidate(id)->island == IslandId{5});
        QCOMPARE(state.candidate(copy.best)->program, state.candidate(original.best)->program);
        QVERIFY(turnsOf(twins.steered, 50).contains({5}));
        twins.steered.order(commands::UndoIslandCommand{});
        QVERIFY(!turnsOf(twins.steered, 50).contains({5}));
        QCOMPARE(islandOf(twins.steered, 2).steering.selection, 2.0); // that was another order
    }

    void aMergedIslandEndsAndItsMembersCompeteElsewhere()
    {
        DryTwins twins(m_far);
        const RunState earlier = twins.steered.state();
        const auto best = [](const RunState& state, std::int64_t id) {
            return state.candidate(state.island({id})->best)->score->value;
        };
        twins.steered.order(commands::MergeIsland{{3}, {1}});
        const RunState& state = twins.steered.state();
        QCOMPARE(state.island({3})->standing, Standing::Ended);
        QCOMPARE(state.island({3})->mergedInto, IslandId{1});
        QCOMPARE(state.island({3})->members, earlier.island({3})->members); // the record stays
        QVERIFY(best(state, 1) >= std::max(best(earlier, 1), best(earlier, 3)));
        QVERIFY(!turnsOf(twins.steered, 60).contains({3}));
        QCOMPARE(turnsOf(twins.plain, 60).at({3}), 15);
        QCOMPARE(homeOf(state, {3})->id, IslandId{1});
        for (const IslandId to : migrationTargets(state, *state.island({2})))
            QCOMPARE(to, IslandId{4}); // the ring closes without it
        twins.steered.order(commands::UndoIslandCommand{});
        for (std::int64_t id = 1; id <= 4; ++id) {
            QCOMPARE(programsOf(state, islandOf(twins.steered, id)), programsOf(earlier, *earlier.island({id})));
            QCOMPARE(islandOf(twins.steered, id).niches, earlier.island({id})->niches);
            QCOMPARE(islandOf(twins.steered, id).admissions, earlier.island({id})->admissions);
            QCOMPARE(islandOf(twins.steered, id).lastMigration, earlier.island({id})->lastMigration);
        }
        QCOMPARE(nextOfEach(twins.steered), nextOfEach(twins.plain));
    }

    void copiesThatWereTakenBackAreOnlyInTheRecord()
    {
        DryTwins twins(m_far);
        const RunState earlier = twins.steered.state();
        const auto hidden = [&twins] {
            return std::ranges::count_if(
                twins.steered.state().candidates, [](const Candidate& each) { return each.takenBack; });
        };
        twins.steered.order(commands::CloneIsland{{2}});
        const std::size_t cloned = twins.steered.state().candidates.size() - earlier.candidates.size();
        QCOMPARE(hidden(), 0);
        twins.steered.order(commands::UndoIslandCommand{});
        QCOMPARE(hidden(), static_cast<std::ptrdiff_t>(cloned));

        const auto best = [&earlier](const Island& island) { return earlier.candidate(island.best)->score->value; };
        const auto strongest = std::ranges::max_element(earlier.islands, {}, best);
        const auto weakest = std::ranges::min_element(earlier.islands, {}, best);
        twins.steered.order(commands::MergeIsland{(*strongest).id, (*weakest).id});
        const IslandChange merger = *twins.steered.state().newestIslandChange();
        QVERIFY(islandOf(twins.steered, (*weakest).id.value).bestTrace != (*weakest).bestTrace);
        twins.steered.order(commands::UndoIslandCommand{});
        QCOMPARE(hidden(), static_cast<std::ptrdiff_t>(cloned + merger.standing.newcomers.size()));
        QCOMPARE(islandOf(twins.steered, (*weakest).id.value).bestTrace, (*weakest).bestTrace);
    }

    void aCopyOfWhichSomethingCameStaysInSight()
    {
        DryTwins twins(m_far);
        twins.steered.order(commands::CloneIsland{{2}});
        twins.steered.runTo(before + 40);
        twins.steered.order(commands::UndoIslandCommand{});
        const RunState& state = twins.steered.state();
        int children = 0;
        for (const Candidate& candidate : state.candidates) {
            if (candidate.island != IslandId{5} || candidate.migrated)
                continue;
            QVERIFY(!candidate.takenBack); // it was measured
            for (const CandidateId parent : candidate.parents)
                QVERIFY(!state.candidate(parent)->takenBack);
            ++children;
        }
        QVERIFY(children > 0);
    }

    void aMergerTakenBackLaterKeepsWhatCameSince()
    {
        DryTwins twins(m_far);
        twins.steered.order(commands::MergeIsland{{3}, {1}});
        const IslandChange islandChange = *twins.steered.state().newestIslandChange();
        twins.steered.runTo(before + 40);
        const std::vector<CandidateId> since = islandOf(twins.steered, 1).members;
        twins.steered.order(commands::UndoIslandCommand{});
        const std::vector<CandidateId>& now = islandOf(twins.steered, 1).members;
        for (const CandidateId id : islandChange.standing.newcomers)
            QVERIFY(std::ranges::find(now, id) == now.end());
        for (const CandidateId id : since)
            QVERIFY(std::ranges::find(now, id) != now.end()
                || std::ranges::find(islandChange.standing.newcomers, id) != islandChange.standing.newcomers.end());
        for (const auto& [cell, holder] : islandOf(twins.steered, 1).niches)
            QVERIFY(std::ranges::find(now, holder) != now.end());
        QCOMPARE(islandOf(twins.steered, 3).standing, Standing::Living);
        twins.steered.runTo(before + 60); // and it goes on
        QVERIFY(turnsOf(twins.steered, 40).contains({3}));
    }

    void theWeakestIslandBeginsAgainWithTheSeed()
    {
        DryTwins twins(m_far);
        const RunState earlier = twins.steered.state();
        IslandId weakest{1};
        for (const Island& island : earlier.islands)
            if (earlier.candidate(island.best)->score->value
                <= earlier.candidate(earlier.island(weakest)->best)->score->value)
                weakest = island.id;
        twins.steered.order(commands::ResetIsland{});
        const Island& reset = *twins.steered.state().island(weakest);
        QCOMPARE(reset.members, std::vector<CandidateId>{CandidateId{1}});
        QCOMPARE(reset.best, CandidateId{1});
        QCOMPARE(twins.steered.state().candidates.size(), earlier.candidates.size());
        QCOMPARE(nextOfEach(twins.steered).at(weakest).parents.front(), CandidateId{1});
        QVERIFY(nextOfEach(twins.plain).at(weakest).parents.front() != CandidateId{1});
        twins.steered.order(commands::UndoIslandCommand{});
        QVERIFY(twins.steered.state().islands == earlier.islands); // members, trace and what migration counts as well
        QCOMPARE(nextOfEach(twins.steered), nextOfEach(twins.plain));
    }

    void onlyAnIslandThatStagnatesBehindTheBestIsReset()
    {
        RunState state = m_far.state();
        const auto fitness = [&](const Island& island) { return fitnessOf(state, island.best); };
        const IslandId weakest = std::ranges::min_element(state.islands, {}, fitness)->id;
        const IslandId strongest = std::ranges::max_element(state.islands, {}, fitness)->id;
        const auto due = [&](IslandId id, auto&& change) {
            RunState changed = state;
            for (Island& island : changed.islands)
                if (island.id == id)
                    change(island);
            return dueReset(changed, id).has_value();
        };
        const auto after
            = [](int candidates) { return [candidates](Island& island) { island.steering.stagnation = candidates; }; };
        state.incumbent = state.island(strongest)->best;
        for (double Interval::*end : {&Interval::value, &Interval::lo, &Interval::hi}) // clearly ahead
            (*state.candidates.edit(static_cast<std::size_t>(state.incumbent.value - 1)).score).*end *= 1.5;
        QVERIFY(fitnessOf(state, state.island(weakest)->best) * 1.05 < fitnessOf(state, state.incumbent));
        const std::int64_t since = sinceLastImprovement(state, *state.island(weakest));
        QVERIFY(since > 0);
        QVERIFY(due(weakest, after(static_cast<int>(since))) && !due(weakest, after(static_cast<int>(since) + 1)));
        QVERIFY(!due(weakest, after(0)) && !due(strongest, after(1)));
        // What a review rejected counts neither here nor where the island begins to explore more.
        RunState rejected = state;
        for (Island& island : rejected.islands)
            if (island.id == weakest)
                island.steering.stagnation = static_cast<int>(since);
        QVERIFY(dueReset(rejected, weakest).has_value());
        for (std::size_t i = rejected.candidates.size(); i-- > 0;)
            if (const Candidate& last = rejected.candidates[i]; last.island == weakest && !last.migrated) {
                rejected.candidates.edit(i).stage = Stage::Rejected;
                break;
            }
        QCOMPARE(sinceLastImprovement(rejected, *rejected.island(weakest)), since - 1);
        QVERIFY(!dueReset(rejected, weakest).has_value());
        QVERIFY(!due(weakest, [](Island& island) {
            island.steering.stagnation = 1;
            island.strategy = "iterate"; // takes no orders
        }));
        // Its own best is the new beginning: it counts from there.
        const auto order = dueReset(
            [&] {
                RunState changed = state;
                for (Island& island : changed.islands)
                    island.steering.stagnation = 1;
                return changed;
            }(),
            weakest);
        QVERIFY(order && order->island == weakest && order->beginning == commands::Beginning::Best);
        const auto events = eventsOf(*order, state);
        QVERIFY(events.has_value());
        std::int64_t seq = state.lastSeq;
        for (const EventBody& body : *events)
            QVERIFY(apply(state, Event{{1}, ++seq, "2026-11-30T00:00:00.000Z", body}).has_value());
        QCOMPARE(fitnessOf(state, state.island(weakest)->best), fitnessOf(state, state.incumbent));
        QVERIFY(!due(weakest, after(1)));
    }

    void aResetIslandMayBeginWithTheBestOfTheOthers()
    {
        DryTwins twins(m_far);
        const RunState earlier = twins.steered.state();
        twins.steered.order(commands::ResetIsland{{4}, commands::Beginning::Best});
        const RunState& state = twins.steered.state();
        QCOMPARE(state.island({4})->members.size(), std::size_t(1));
        const Candidate& migrant = *state.candidate(state.island({4})->members.front());
        QVERIFY(migrant.migrated);
        for (std::int64_t id = 1; id <= 3; ++id)
            QVERIFY(migrant.score->value >= earlier.candidate(earlier.island({id})->best)->score->value);
        const CandidateId copy = migrant.id;
        twins.steered.order(commands::UndoIslandCommand{});
        QVERIFY(state.candidate(copy)->takenBack);
        QVERIFY(state.islands == earlier.islands);
        QCOMPARE(nextOfEach(twins.steered), nextOfEach(twins.plain));
    }

    void withMigrationOffNobodyTravels()
    {
        DryTwins twins(m_far);
        const auto travelled = [](const DryRun& run) {
            return std::ranges::count_if(run.state().candidates, [](const Candidate& each) { return each.migrated; });
        };
        const auto until = travelled(twins.plain);
        twins.steered.order(commands::PlanMigration{{MigrationPlan::Ways::Off, {}, 6}});
        twins.plain.runTo(before + 40);
        twins.steered.runTo(before + 40);
        QVERIFY(travelled(twins.plain) > until);
        QCOMPARE(travelled(twins.steered), until);
    }

    void aDrawnWayIsTheOnlyOne()
    {
        DryTwins twins(m_young);
        twins.steered.order(
            commands::PlanMigration{{MigrationPlan::Ways::Drawn, {{{1}, {3}}, {{1}, {4}}, {{4}, {2}}}, 2}});
        twins.steered.runTo(70);
        std::set<MigrationPlan::Edge> travelled;
        const RunState& state = twins.steered.state();
        for (const Candidate& each : state.candidates)
            if (each.migrated)
                travelled.emplace(state.candidate(each.parents.front())->island, each.island);
        QCOMPARE(travelled, (std::set<MigrationPlan::Edge>{{{1}, {3}}, {{1}, {4}}, {{4}, {2}}}));
    }

    void ordersThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("which");
        const char* codes[] = {"island/unknown", "island/itself", "island/ended", "island/value", "island/value",
            "island/value", "island/value", "island/ended", "island/itself", "island/value", "island/value",
            "island/living", "island/value", "island/value"};
        int which = 0;
        for (const char* code : codes)
            QTest::addRow("%s %d", code, which) << QString::fromLatin1(code) << which, ++which;
    }

    void ordersThatMakeNoSenseAreRefused()
    {
        QFETCH(QString, code);
        QFETCH(int, which);
        DryRun run(m_young);
        run.order(commands::MergeIsland{{4}, {1}});
        const IslandCommand table[]
            = {commands::PauseIsland{{9}}, commands::MergeIsland{{1}, {1}}, commands::PauseIsland{{4}},
                steering(1,
                    [](IslandSteering& one) {
                        one.mix = FocusMix{1, 0, -1, 0, 0};
                    }),
                steering(1, [](IslandSteering& one) { one.mix = FocusMix{}; }),
                steering(1, [](IslandSteering& one) { one.selection = 0; }),
                steering(1, [](IslandSteering& one) { one.focus = Focus::Repair; }),
                commands::PlanMigration{{MigrationPlan::Ways::Drawn, {{{1}, {4}}}, 6}},
                commands::PlanMigration{{MigrationPlan::Ways::Drawn, {{{1}, {1}}}, 6}},
                commands::PlanMigration{{MigrationPlan::Ways::Drawn, {}, 6}},
                commands::PlanMigration{{MigrationPlan::Ways::Ring, {}, 0}}, commands::ResumeIsland{{1}},
                steering(1, [](IslandSteering& one) { one.selection = std::nan(""); }),
                commands::AddIsland{"", Focus::Rewrite}};
        QCOMPARE(QString::fromStdString(codeOf(run, table[which])), code);
        const auto refused = eventsOf(table[which], run.state());
        QVERIFY(!refused.error().text.empty());
        QVERIFY(refused.error().text.find('\n') == std::string::npos);
    }

    void theLastIslandThatIsAskedStays()
    {
        DryRun run(m_young);
        for (std::int64_t id = 1; id <= 3; ++id)
            run.order(commands::PauseIsland{{id}});
        QCOMPARE(codeOf(run, commands::PauseIsland{{4}}), std::string("island/last"));
        QCOMPARE(codeOf(run, commands::MergeIsland{{4}, {1}}), std::string("island/last"));
        QCOMPARE(codeOf(run, commands::PauseIsland{{3}}), std::string("island/paused"));
        QVERIFY(run.next().has_value());
    }

    void ordersAreTakenBackNewestFirstUntilNoneIsLeft()
    {
        DryRun run(m_young);
        const RunState earlier = run.state();
        run.order(commands::PauseIsland{{2}});
        run.order(commands::PlanMigration{{MigrationPlan::Ways::Off, {}, 6}});
        run.order(commands::UndoIslandCommand{});
        QCOMPARE(run.state().settings.migration, MigrationPlan{});
        QCOMPARE(islandOf(run, 2).standing, Standing::Paused);
        run.order(commands::UndoIslandCommand{});
        QCOMPARE(islandOf(run, 2).standing, Standing::Living);
        QVERIFY(run.next() == nextRequest(earlier, {}));
        QCOMPARE(codeOf(run, commands::UndoIslandCommand{}), std::string("island/undo"));
    }

    void eachOrderIsAMarkOnTheTimeAxis()
    {
        DryRun run(m_young);
        const std::size_t until = run.state().changes.size();
        run.order(commands::PauseIsland{{2}});
        run.order(steering(1, [](IslandSteering& one) { one.focus = Focus::Tune; }));
        run.order(commands::PlanMigration{{MigrationPlan::Ways::Drawn, {{{1}, {3}}}, 4}});
        run.order(commands::UndoIslandCommand{});
        const auto& changes = run.state().changes;
        QCOMPARE(changes.size(), until + 4);
        QCOMPARE(lineOf(changes[until]), std::string("island B: living → paused"));
        QCOMPARE(changes[until].evaluations, run.state().evaluationsStarted);
        QCOMPARE(changes[until].island, IslandId{2});
        QCOMPARE(lineOf(changes[until + 1]), std::string("focus of island A: chosen by the strategy → tune"));
        QCOMPARE(
            lineOf(changes[until + 2]), std::string("migration: ring, every 6 new members → A→C, every 4 new members"));
        QCOMPARE(lineOf(changes[until + 3]),
            std::string("migration: A→C, every 4 new members → ring, every 6 new members, undone"));
        QCOMPARE(run.state().log.back().text, lineOf(changes[until + 3]));
    }
};

TILEWRIGHT_TEST(TestIslandEvents)
#include "test_island_events.moc"
