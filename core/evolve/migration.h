// SPDX-License-Identifier: GPL-3.0-or-later
// Who may go where, and what it is there. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// Where the island's next migrant may go, by the run's plan: the first where one has a place is where it goes. Empty
/// where no way leads out to an island of the same strategy.
std::vector<IslandId> migrationTargets(const RunState& state, const Island& from);

/// Whether a candidate of this program is in the island's population.
bool livesThere(const RunState& state, const Island& island, const Hash& program);

/// A candidate as one of its own on another island, that shares the measured program. None where it would have no
/// place there.
std::optional<events::Migrated> copyTo(const RunState& state, const Candidate& candidate, const Island& to);

/// Where what an island brings forth competes: itself, or, after it was merged, the island that took it in. None for
/// one that ended without an heir.
const Island* homeOf(const RunState& state, IslandId island);

} // namespace tilewright
