// SPDX-License-Identifier: GPL-3.0-or-later
// Islands that something can be set for: those that live or are paused, also the ones that were added, and before a run
// begins those that it will have. Pure.
#pragma once

#include "core/base/result.h"
#include "core/model/run_state.h"

namespace tilewright {

/// In the order of their letters.
std::vector<IslandId> livingIslands(const RunState& state);

/// Refuses what is no island (island/unknown), and one that has ended (island/ended); id 0, all of them, is fine.
Result<void> livingIsland(const RunState& state, IslandId island);

// What a run that rests left on its way.

/// Its way is not over, and it waits for nobody's word: while the run rests, nothing works at it.
bool isOnItsWay(const Candidate& candidate);

/// Candidates that the next start takes up.
std::int64_t leftOver(const RunState& run);

/// Neither they nor a measurement that a user wants once more.
bool hasNothingLeft(const RunState& run);

} // namespace tilewright
