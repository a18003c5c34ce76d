// SPDX-License-Identifier: GPL-3.0-or-later
// Twins without an engine: two runs in memory of the same seed that have come equally far, one of them to be steered.
#pragma once

#include "tests/engine/dry_run.h"
#include "tests/engine/next_requests.h"

#include <functional>

namespace tilewright::testing {

struct DryTwins {
    explicit DryTwins(const DryRun& run)
        : plain(run)
        , steered(run)
    {
    }

    void orderBoth(const IslandCommand& order)
    {
        plain.order(order);
        steered.order(order);
    }

    /// Each goes on until it has started one evaluation more.
    void stepBoth()
    {
        for (DryRun* run : {&plain, &steered})
            run->runTo(run->state().evaluationsStarted + 1);
    }

    DryRun plain, steered;
};

inline std::map<IslandId, ProposalRequest> nextOfEach(const DryRun& run) { return nextOfEach(run.state()); }

/// How often each island is asked in the next turns.
inline std::map<IslandId, int> turnsOf(const DryRun& run, int turns)
{
    std::map<IslandId, int> asked;
    PendingRequests pending;
    for (int i = 0; i < turns; ++i)
        if (const auto request = nextRequest(run.state(), pending)) {
            ++asked[request->island];
            ++pending[request->island];
        }
    return asked;
}

inline const Island& islandOf(const DryRun& run, std::int64_t id) { return *run.state().island({id}); }

/// An order that steers the island so, whole.
inline commands::SteerIsland steering(std::int64_t island, const std::function<void(IslandSteering&)>& change)
{
    commands::SteerIsland order{{island}, {}};
    change(order.steering);
    return order;
}

} // namespace tilewright::testing
