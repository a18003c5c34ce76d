// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates that were taken back: copies off their island, and what a person wrote. Part of apply(): see run_state.h.
#pragma once

#include "core/model/candidate.h"

namespace tilewright {

struct RunState;

/// Marks those of the copies of which nothing came: only the record tells of them from then on. One that was asked
/// about as a parent, or copied on, stays in sight, and with it where the others came from.
void takeBack(RunState& state, const std::vector<CandidateId>& candidates);
/// All copies that ever came to the island.
std::vector<CandidateId> copiesOn(const RunState& state, IslandId island);

} // namespace tilewright
