// SPDX-License-Identifier: GPL-3.0-or-later
// When an island has gone on for long without finding anything better, and others have. Pure.
#pragma once

#include "core/model/islands/island_command.h"
#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// The command that lets a stagnating island begin again from the best program of the others (FunSearch, Nature 2023,
/// resets its weakest islands like that); none while none is due. Due: as many of its candidates as
/// IslandSteering::stagnation says ended since its best one came and since its last reset, as endedSince() counts them;
/// its best is behind the run's by more than the noise; its strategy takes orders; another island lives.
std::optional<commands::ResetIsland> dueReset(const RunState& state, IslandId island);

} // namespace tilewright
