// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds the cells of the islands' grids after a person changed who may.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// A holder that is banned, or lives on its island no more, gives its cell to the best member there that may hold it.
void releaseCells(RunState& state);
/// The candidate and its copies take the cells that they live in, may hold, and are better for than who holds them.
void claimCells(RunState& state, CandidateId candidate);

} // namespace tilewright
