// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/stagnation.h"

#include "core/evolve/islands.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Islands that differ by less are not told apart, however quiet the machine.
constexpr double leastBehind = 0.02;

/// Number of the event since which its candidates count: that of its best one, or of its last reset.
std::int64_t beginOf(const RunState& state, const Island& island)
{
    const Candidate* best = state.candidate(island.best);
    std::int64_t begin = best ? best->seq : 0;
    for (const IslandChange& change : state.islandChanges)
        if (change.kind == IslandChangeKind::Reset && change.before.id == island.id)
            begin = std::max(begin, change.seq);
    return begin;
}

bool isBehind(const RunState& state, const Island& island)
{
    const double margin = std::max(state.noiseFloor, leastBehind);
    return fitnessOf(state, island.best) * (1 + margin) < fitnessOf(state, state.incumbent);
}

} // namespace

std::optional<commands::ResetIsland> dueReset(const RunState& state, IslandId id)
{
    const Island* island = state.island(id);
    if (!island || island->standing != Standing::Living || island->steering.stagnation <= 0
        || !strategyOf(*island).canSteer() || !isBehind(state, *island))
        return std::nullopt;
    const bool isAlone = std::ranges::none_of(
        state.islands, [&](const Island& other) { return other.id != id && other.standing == Standing::Living; });
    return isAlone || endedSince(state, *island, beginOf(state, *island)) < island->steering.stagnation
        ? std::nullopt
        : std::optional(commands::ResetIsland{id, commands::Beginning::Best});
}

} // namespace tilewright
