// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/islands/living_islands.h"

#include <algorithm>

namespace tilewright {

Result<void> livingIsland(const RunState& state, IslandId id)
{
    if (id.value < 0 || id.value > state.islandCount())
        return fail("island/unknown", "the run has no island " + islandLetter(id));
    const Island* island = state.island(id);
    if (!island || island->standing != Standing::Ended)
        return {};
    return fail("island/ended",
        "island " + islandLetter(id) + " has ended"
            + (island->mergedInto ? ": it was merged into island " + islandLetter(island->mergedInto) : ""),
        "its history is kept; undo the merge to continue it");
}

std::vector<IslandId> livingIslands(const RunState& state)
{
    std::vector<IslandId> living;
    for (IslandId island{1}; island.value <= state.islandCount(); ++island.value)
        if (livingIsland(state, island))
            living.push_back(island);
    return living;
}

bool isOnItsWay(const Candidate& candidate) { return !candidate.isOver() && candidate.stage != Stage::Review; }

std::int64_t leftOver(const RunState& run) { return std::ranges::count_if(run.candidates, isOnItsWay); }

bool hasNothingLeft(const RunState& run)
{
    return leftOver(run) == 0 && run.waitingReviews == 0 && std::ranges::none_of(run.reruns, &Rerun::isOpen);
}

} // namespace tilewright
