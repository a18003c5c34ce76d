// SPDX-License-Identifier: GPL-3.0-or-later
// What a person's open wish makes of the next request. Pure.
#pragma once

#include "core/evolve/islands.h"

namespace tilewright {

/// The request that the oldest open wish asks for: the island's own next one, with its focus and its draws, but of the
/// wished parent; with an idea it explores, and with a prompt of its own it is as that says. None without a wish.
std::optional<ProposalRequest> wishedRequest(const RunState& state, const PendingRequests& pending);

} // namespace tilewright
