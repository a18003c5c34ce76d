// SPDX-License-Identifier: GPL-3.0-or-later
// Parents that lately brought nothing new, however often they were drawn: asking again costs time and finds nothing.
// Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

/// Whether what is asked for was asked of the same program twice lately, and there was nothing new to offer. Tuning is
/// one thing and changing the structure another. After some hundred proposals it is forgotten: moves and constants that
/// came since may fit.
bool isSpent(const RunState& state, const ProposalRequest& request);

} // namespace tilewright
