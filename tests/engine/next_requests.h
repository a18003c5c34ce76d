// SPDX-License-Identifier: GPL-3.0-or-later
// What a run would be asked for next, for tests that hold it against a twin's.
#pragma once

#include "core/evolve/islands.h"

namespace tilewright::testing {

/// The next requests of a run, each island once, as if nobody answered.
inline std::map<IslandId, ProposalRequest> nextOfEach(const RunState& state)
{
    std::map<IslandId, ProposalRequest> next;
    PendingRequests pending;
    for (std::size_t tries = 0; tries < 4 * state.islands.size(); ++tries) {
        const auto request = nextRequest(state, pending);
        if (!request)
            break;
        next.try_emplace(request->island, *request);
        ++pending[request->island];
    }
    return next;
}

/// An island that asks for edits of its best alone: whoever comes to be its best is its next parent.
inline IslandSteering editsItsBest()
{
    IslandSteering steering;
    steering.focus = Focus::Exploit;
    steering.selection = 0.05;
    return steering;
}

} // namespace tilewright::testing
