// SPDX-License-Identifier: GPL-3.0-or-later
// Whom an island's own mix of proposers asks. Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

/// Drawn from the run's seed, the island and the ordinal: "mutator", "tuner", or `outside`, the kind of those whom the
/// session can ask ("model", "manual", "" for nobody). The tuner has no part where the parent has no tunables and
/// others have a weight, nor has one whose edits would wait for a review while as many wait as may. Empty where the
/// island has no mix, or none of it can be asked.
std::string drawnProposer(const RunState& state, const ProposalRequest& request, std::string_view outside);
/// Whether the island may ask the mutator: where the tuner finds nothing, it goes on.
bool mayMutate(const RunState& state, IslandId island);
/// Whether the mix of an island that takes its turns names somebody built in.
bool mixesBuiltIn(const RunState& state);

} // namespace tilewright
