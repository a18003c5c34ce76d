// SPDX-License-Identifier: GPL-3.0-or-later
// What a person's boosts do to the draw of parents: each candidate's chance is multiplied by the boosts of its lineage.
// Pure.
#pragma once

#include "core/base/random.h"
#include "core/model/run_state.h"

namespace tilewright {

/// For each candidate the product of the boosts of itself and its ancestors, each counted once; empty where all are
/// equal, as without any boost: then nothing about a draw changes.
std::vector<double> lineageBoosts(const RunState& state, const std::vector<const Candidate*>& candidates);

/// An index, drawn with the given chances times the boosts. Both have the same length, and some product is above 0.
std::size_t drawBoosted(const std::vector<double>& chances, const std::vector<double>& boosts, CounterRandom& random);

} // namespace tilewright
