// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/island_events.h"

#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/model/event_names.h"
#include "core/model/islands/island_change.h"
#include "core/model/islands/living_islands.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double coldest = 0.05, hottest = 20; ///< of choosing parents
constexpr double hottestSampling = 2;
constexpr double heaviest = 1e6;
constexpr std::int64_t longestInterval = 10'000;
constexpr std::size_t longestName = 40;

using Events = std::vector<EventBody>;

std::string called(IslandId island) { return "island " + islandLetter(island); }

/// Events that build on each other: each is applied to a copy of the state before the next is made.
class Draft
{
public:
    explicit Draft(const RunState& state)
        : m_state(state)
    {
    }
    const RunState& state() const { return m_state; }
    const Island& island(IslandId id) const { return *m_state.island(id); }
    Result<void> add(EventBody body)
    {
        m_events.push_back(body);
        return apply(m_state, Event{m_state.run, m_state.lastSeq + 1, {}, std::move(body)});
    }
    /// Those of the candidates that find a place on the island, best first; their names there, and who left for them.
    Result<events::IslandStandingChanged> settle(std::vector<const Candidate*> candidates, IslandId to)
    {
        events::IslandStandingChanged change;
        for (const Candidate* each : candidates) {
            const Candidate candidate = *each;
            if (livesThere(m_state, island(to), candidate.program))
                continue;
            auto copied = copyTo(m_state, candidate, island(to));
            if (!copied)
                continue;
            copied->byOrder = true;
            change.newcomers.push_back(copied->copy.id);
            change.displaced.insert(change.displaced.end(), copied->displaced.begin(), copied->displaced.end());
            if (auto added = add(std::move(*copied)); !added)
                return std::unexpected(added.error());
        }
        return change;
    }
    Events events() && { return std::move(m_events); }

private:
    RunState m_state;
    Events m_events;
};

Result<void> checkMix(const FocusMix& mix)
{
    for (const auto& [weight, name] : mixNames)
        if (!(mix.*weight >= 0 && mix.*weight <= heaviest))
            return fail("island/value", "the weight of " + std::string(name) + " is " + wordsOf(mix.*weight),
                "weights must be numbers from 0 to 1000000");
    return mix.sum() > 0 ? Result<void>()
                         : fail("island/value", "all weights of the mix are 0", "set at least one weight above 0");
}

Result<void> checkProposers(const ProposerMix& mix)
{
    double sum = 0;
    for (const auto& [name, weight] : mix) {
        if (!isNameInMix(name))
            return fail(
                "island/value", "unknown proposer '" + name + "' in a mix", "use mutator, tuner, manual or model:NAME");
        if (!(weight >= 0 && weight <= heaviest))
            return fail("island/value", "the weight of " + name + " is " + wordsOf(weight),
                "weights must be numbers from 0 to 1000000");
        sum += weight;
    }
    return mix.empty() || sum > 0
        ? Result<void>()
        : fail("island/value", "all weights of the mix are 0", "set at least one weight above 0");
}

class Carrying
{
public:
    explicit Carrying(const RunState& state)
        : m_state(state)
    {
    }

    Result<Events> operator()(const commands::PauseIsland& order) const
    {
        if (auto known = present(order.island); !known)
            return std::unexpected(known.error());
        if (m_state.island(order.island)->standing == Standing::Paused)
            return fail("island/paused", called(order.island) + " is already paused");
        if (othersLiving(order.island) == 0)
            return fail("island/last", called(order.island) + " is the only active island",
                "pause the run instead, or resume another island first");
        return Events{events::IslandStandingChanged{order.island, Standing::Paused, {}, {}, {}}};
    }

    Result<Events> operator()(const commands::ResumeIsland& order) const
    {
        if (auto known = present(order.island); !known)
            return std::unexpected(known.error());
        if (m_state.island(order.island)->standing == Standing::Living)
            return fail("island/living", called(order.island) + " is not paused");
        return Events{events::IslandStandingChanged{order.island, Standing::Living, {}, {}, {}}};
    }

    Result<Events> operator()(const commands::SteerIsland& order) const
    {
        if (auto known = active(order.island); !known)
            return std::unexpected(known.error());
        if (auto sound = checkSteering(order.steering); !sound)
            return std::unexpected(sound.error());
        if (m_state.island(order.island)->steering == order.steering)
            return Events{};
        return Events{events::IslandSteered{order.island, order.steering}};
    }

    Result<Events> operator()(const commands::AddIsland& order) const
    {
        if (!valueIn(aimNames, nameOf(order.focus)))
            return fail("island/value", "an island's focus is not " + nameOf(order.focus),
                "use explore, exploit, crossover or tune");
        if (order.name.size() > longestName)
            return fail("island/value",
                "the island's name has " + std::to_string(order.name.size()) + " bytes, too many",
                "a name may have at most " + std::to_string(longestName) + " bytes");
        std::string name = order.name;
        if (name.empty()) {
            name = nameOf(order.focus);
            name.front() = static_cast<char>(name.front() - 'a' + 'A');
        }
        auto draft = withNew({newId(), name, "evolve", order.focus});
        if (!draft)
            return std::unexpected(draft.error());
        return std::move(*draft).events();
    }

    Result<Events> operator()(const commands::CloneIsland& order) const
    {
        if (auto known = active(order.island); !known)
            return std::unexpected(known.error());
        const Island& original = *m_state.island(order.island);
        auto draft = withNew({newId(), original.name + " (copy of " + islandLetter(order.island) + ")",
            original.strategy, original.focus, original.steering, order.island});
        if (!draft)
            return std::unexpected(draft.error());
        const IslandId made = newId();
        if (auto settled = draft->settle(byFitness(m_state, original), made); !settled)
            return std::unexpected(settled.error());
        return std::move(*draft).events();
    }

    Result<Events> operator()(const commands::MergeIsland& order) const
    {
        for (const IslandId island : {order.island, order.into})
            if (auto known = active(island); !known)
                return std::unexpected(known.error());
        if (order.island == order.into)
            return fail("island/itself", called(order.island) + " cannot be merged into itself", "name another island");
        if (m_state.island(order.into)->standing != Standing::Living && othersLiving(order.island) == 0)
            return fail("island/last", called(order.island) + " is the only active island",
                "resume " + called(order.into) + " first");
        Draft draft(m_state);
        auto change = draft.settle(byFitness(m_state, *m_state.island(order.island)), order.into);
        if (!change)
            return std::unexpected(change.error());
        change->island = order.island;
        change->standing = Standing::Ended;
        change->into = order.into;
        if (auto ended = draft.add(std::move(*change)); !ended)
            return std::unexpected(ended.error());
        return std::move(draft).events();
    }

    Result<Events> operator()(const commands::ResetIsland& order) const
    {
        const IslandId island = order.island ? order.island : weakest();
        if (auto known = active(island); !known)
            return std::unexpected(known.error());
        if (auto seeded = seed(); !seeded)
            return std::unexpected(seeded.error());
        Draft draft(m_state);
        if (order.beginning == commands::Beginning::Seed) {
            if (auto reset = draft.add(events::IslandReset{island, {CandidateId{1}}}); !reset)
                return std::unexpected(reset.error());
            return std::move(draft).events();
        }
        const Candidate* best = bestBeside(island);
        if (!best)
            return fail("island/value", "no other island has a program to start from", "start from the seed");
        const Candidate migrant = *best;
        if (auto reset = draft.add(events::IslandReset{island, {}}); !reset)
            return std::unexpected(reset.error());
        if (auto settled = draft.settle({&migrant}, island); !settled)
            return std::unexpected(settled.error());
        return std::move(draft).events();
    }

    Result<Events> operator()(const commands::PlanMigration& order) const
    {
        if (auto sound = checkPlan(order.plan, [this](IslandId island) { return active(island); }); !sound)
            return std::unexpected(sound.error());
        if (order.plan == m_state.settings.migration)
            return Events{};
        return Events{events::MigrationPlanned{order.plan}};
    }

    Result<Events> operator()(const commands::UndoIslandCommand&) const
    {
        const IslandChange* islandChange = m_state.newestIslandChange();
        if (!islandChange)
            return fail("island/undo", "no island command is left to undo");
        if (islandChange->kind == IslandChangeKind::Added && othersLiving(islandChange->before.id) == 0)
            return fail("island/last", called(islandChange->before.id) + " is the only active island",
                "resume another island first");
        return islandChange->kind == IslandChangeKind::Added ? unmade(*islandChange)
                                                             : Events{events::IslandChangeUndone{islandChange->number}};
    }

private:
    IslandId newId() const { return {static_cast<std::int64_t>(m_state.islands.size()) + 1}; }

    /// It can be given orders that only some strategies know.
    Result<void> active(IslandId id) const
    {
        if (auto there = present(id); !there)
            return there;
        const Island& island = *m_state.island(id);
        return strategyOf(island).canSteer() ? Result<void>() : std::unexpected(noSteering(island.strategy));
    }

    Result<void> present(IslandId id) const
    {
        const Island* island = m_state.island(id);
        if (!island && id && id.value <= m_state.islandCount())
            return fail("island/seed", "the run has not started: it has no islands yet", "start it first");
        if (!id)
            return fail("island/unknown", "the run has no such island");
        return livingIsland(m_state, id);
    }

    Result<void> seed() const
    {
        const Candidate* seed = m_state.candidate({1});
        return seed && seed->isRanked() && seed->stage == Stage::Done
            ? Result<void>()
            : fail("island/seed", "the seed is not measured yet, and islands start from it", "try again in a moment");
    }

    int othersLiving(IslandId but) const
    {
        return static_cast<int>(std::ranges::count_if(m_state.islands,
            [&](const Island& island) { return island.id != but && island.standing == Standing::Living; }));
    }

    /// A new island with the seed in it.
    Result<Draft> withNew(events::IslandCreated created) const
    {
        if (auto seeded = seed(); !seeded)
            return std::unexpected(seeded.error());
        if (newId().value > mostIslands)
            return fail("island/too-many", "a run has at most " + std::to_string(mostIslands) + " islands",
                "reset one, or merge two");
        Draft draft(m_state);
        if (auto made = draft.add(std::move(created)); !made)
            return std::unexpected(made.error());
        if (auto place = admissionOf(draft.state(), newId(), {1}, m_state.candidate({1})->cell))
            if (auto admitted = draft.add(std::move(*place)); !admitted)
                return std::unexpected(admitted.error());
        return draft;
    }

    /// An island that was added goes, with all that nobody measures yet.
    Events unmade(const IslandChange& islandChange) const
    {
        const UnderWay under = underWayFor(m_state, islandChange.before.id);
        Events events;
        for (const CandidateId id : under.unmeasured)
            for (const Rerun& rerun : m_state.reruns)
                if (rerun.candidate == id && rerun.isOpen()) // a quick result
                    events.emplace_back(events::RerunWithdrawn{rerun.id});
        events.emplace_back(events::IslandChangeUndone{islandChange.number, under.unmeasured, under.asked});
        return events;
    }

    /// Of several equals the youngest.
    IslandId weakest() const
    {
        const Island* found = nullptr;
        const auto bestOf = [this](const Island& island) {
            const Candidate* best = m_state.candidate(island.best);
            return best ? fitnessOf(*best) : 0;
        };
        for (const Island& island : m_state.islands)
            if (island.standing != Standing::Ended && (!found || bestOf(island) <= bestOf(*found)))
                found = &island;
        return found ? found->id : IslandId{};
    }

    const Candidate* bestBeside(IslandId but) const
    {
        const Candidate* best = nullptr;
        for (const Island& island : m_state.islands)
            if (island.id != but && island.standing != Standing::Ended)
                for (const Candidate* candidate : byFitness(m_state, island))
                    if (!best || fitnessOf(*candidate) > fitnessOf(*best))
                        best = candidate;
        return best;
    }

    const RunState& m_state;
};

} // namespace

Result<void> checkSteering(const IslandSteering& steering)
{
    if (steering.focus && !valueIn(aimNames, nameOf(*steering.focus)))
        return fail("island/value", "an island cannot focus on " + nameOf(*steering.focus) + " only",
            "use explore, exploit, crossover or tune");
    if (!(steering.selection >= coldest && steering.selection <= hottest))
        return fail("island/value", "the selection temperature is " + wordsOf(steering.selection),
            "use a number from 0.05 (always the best) to 20 (almost even); 1 is the default of the strategy");
    if (steering.sampling && !(*steering.sampling >= 0 && *steering.sampling <= hottestSampling))
        return fail("island/value", "the sampling temperature is " + wordsOf(*steering.sampling), "use 0 to 2");
    for (const SteeredCount& count : steeredCounts)
        if (steering.*count.member < 0 || steering.*count.member > count.most)
            return fail("island/value",
                std::to_string(steering.*count.member) + " is not a number of " + std::string(count.name),
                "use 0 to " + std::to_string(count.most));
    if (auto sound = checkProposers(steering.proposers); !sound)
        return sound;
    return steering.mix ? checkMix(*steering.mix) : Result<void>();
}

Result<void> checkPlan(const MigrationPlan& plan, const std::function<Result<void>(IslandId)>& takesPart)
{
    if (plan.interval < 1 || plan.interval > longestInterval)
        return fail("island/value",
            "the migration interval cannot be " + std::to_string(plan.interval) + " new members",
            "use 1 to 10000 new members");
    for (const auto& [from, to] : plan.edges) {
        for (const IslandId island : {from, to})
            if (auto can = takesPart(island); !can)
                return can;
        if (from == to)
            return fail(
                "island/itself", "a route leads from " + called(from) + " to itself", "name two different islands");
    }
    if (plan.ways == MigrationPlan::Ways::Drawn && plan.edges.empty())
        return fail("island/value", "no route between islands is drawn", "draw one, or set migration to off");
    return {};
}

Result<std::vector<EventBody>> eventsOf(const IslandCommand& order, const RunState& state)
{
    return std::visit(Carrying(state), order);
}

Error noSteering(const std::string& strategy)
{
    return {"island/no-levers", "islands of the strategy " + strategy + " cannot be steered this way",
        "steer an island of the strategy evolve", nullptr};
}

} // namespace tilewright
