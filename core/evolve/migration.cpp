// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/migration.h"

#include "core/evolve/population.h"

#include <algorithm>

namespace tilewright {
namespace {

/// The next one of its strategy in order of id that has not ended, after the last the first; none but itself: itself.
IslandId nextInRing(const RunState& state, const Island& from)
{
    const std::size_t count = state.islands.size();
    for (std::size_t step = 0; step < count; ++step) {
        const Island& next = state.islands[(static_cast<std::size_t>(from.id.value) + step) % count];
        if (next.standing != Standing::Ended && next.strategy == from.strategy)
            return next.id;
    }
    return from.id;
}

} // namespace

std::vector<IslandId> migrationTargets(const RunState& state, const Island& from)
{
    const MigrationPlan& plan = state.settings.migration;
    std::vector<IslandId> targets;
    if (plan.ways == MigrationPlan::Ways::Ring)
        targets.push_back(nextInRing(state, from));
    if (plan.ways == MigrationPlan::Ways::Drawn)
        for (const auto& [source, to] : plan.edges)
            if (source == from.id)
                targets.push_back(to);
    std::erase_if(targets, [&](IslandId to) {
        const Island* island = state.island(to);
        return to == from.id || !island || island->standing == Standing::Ended || island->strategy != from.strategy;
    });
    if (!targets.empty()) { // in turn
        const auto turn = static_cast<std::size_t>(from.admissions / plan.interval) % targets.size();
        std::rotate(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(turn), targets.end());
    }
    return targets;
}

bool livesThere(const RunState& state, const Island& island, const Hash& program)
{
    return std::any_of(island.members.begin(), island.members.end(), [&](CandidateId id) {
        const Candidate* member = state.candidate(id);
        return member && member->program == program;
    });
}

std::optional<events::Migrated> copyTo(const RunState& state, const Candidate& candidate, const Island& to)
{
    Candidate copy = candidate;
    copy.id = CandidateId{static_cast<std::int64_t>(state.candidates.size()) + 1};
    copy.island = to.id;
    copy.parents = {candidate.id};
    copy.generation = candidate.generation + 1;
    copy.migrated = true;
    copy.stage = Stage::Done;
    copy.evaluationNumber = copy.resultNumber = 0;
    Place place = placeFor(state, to, copy.id, fitnessOf(copy), copy.cell);
    if (!place.taken)
        return std::nullopt;
    const std::string cell = copy.cell;
    return events::Migrated{candidate.id, std::move(copy), cell, place.elite, std::move(place.displaced)};
}

const Island* homeOf(const RunState& state, IslandId id)
{
    const Island* island = state.island(id);
    while (island && island->standing == Standing::Ended)
        island = state.island(island->mergedInto);
    return island;
}

} // namespace tilewright
