// SPDX-License-Identifier: GPL-3.0-or-later
// Which kinds of proposers the review policies of an island are about. Pure.
#pragma once

#include "core/model/run_state.h"

#include <vector>

namespace tilewright {

/// The kind of proposer whose policy decides on the candidate. What no kind offered is judged as a manual reply.
ProposerKind reviewKindOf(const RunState& state, const Candidate& candidate);
ReviewPolicy reviewPolicyOf(const RunState& state, const Candidate& candidate);

/// The kinds that generate edits on the island: those of its own mix, else what the session asks.
std::vector<ProposerKind> kindsAskedOn(const RunState& state, IslandId island);
/// The strictest policy of these.
ReviewPolicy strictestPolicyOn(const RunState& state, IslandId island);

} // namespace tilewright
