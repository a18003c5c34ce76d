// SPDX-License-Identifier: GPL-3.0-or-later
// How an island searches: the interface every strategy implements. A strategy knows no process and no clock; it reads a
// run's state and answers with values (a request, an event). Everything random comes from the run's seed, the island
// and the ordinal of the proposal, so the same state always gives the same decision. Thread: any.
#pragma once

#include "core/model/run_state.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

/// What a proposer is asked for.
struct ProposalRequest {
    IslandId island;
    std::int64_t ordinal = 0; ///< of the island's proposals; seeds the proposer's randomness
    Focus focus = Focus::Explore;
    std::vector<CandidateId> parents; ///< first: the one to edit; second: for crossover
    WishId wish = {}; ///< a person's, for which it is made
    std::string idea = {}; ///< of that wish: what the prompt says besides
    WishedPrompt prompt = {}; ///< of that wish: how the prompt is written

    bool operator==(const ProposalRequest&) const = default;
};

/// Requests by island that were made and not answered yet: they hold ordinals that the state does not know.
using PendingRequests = std::map<IslandId, std::int64_t>;

/// Islands that take no turn for now, whatever the state says: what a step asked of them is there.
using RestingIslands = std::set<IslandId>;

class Strategy
{
public:
    virtual ~Strategy() = default;
    virtual std::string name() const = 0;
    /// Whether a person's orders to islands mean anything to it.
    virtual bool hasLevers() const { return true; }
    /// The islands a new run starts with, in order of id.
    virtual std::vector<events::IslandCreated> islands(const RunSettings& settings) const = 0;
    /// The next request of the island whose turn it is; none while the state offers no parent, or every island rests
    /// or waits for a person (mayPropose()).
    virtual std::optional<ProposalRequest> next(
        const RunState& state, const PendingRequests& pending, const RestingIslands& resting) const = 0;
    std::optional<ProposalRequest> next(const RunState& state, const PendingRequests& pending) const
    {
        return next(state, pending, {});
    }
    /// The place a measured candidate takes in an island; none when it is not good enough for one.
    virtual std::optional<events::Admitted> admit(
        const RunState& state, IslandId island, CandidateId candidate, const std::string& cell) const = 0;
    /// What leaves an island for its neighbour after an admission; none when it is not due.
    virtual std::optional<events::Migrated> migrate(const RunState& state, IslandId island) const = 0;
    /// Ratio to the incumbent below which a screening may stop early; 0 for never.
    virtual double screeningFloor(const RunState& state, IslandId island) const = 0;
    /// Whether a candidate whose confirmation just came back takes over from the incumbent.
    virtual bool becomesIncumbent(const RunState& state, CandidateId candidate) const = 0;
};

/// "evolve", or "random": always from the seed, the yardstick of tests/bench/search. Null for any other name.
std::unique_ptr<Strategy> strategyNamed(const std::string& name);

} // namespace tilewright
