// SPDX-License-Identifier: GPL-3.0-or-later
// How an island searches: the interface every strategy implements. Each island names its strategy;
// core/evolve/islands.h decides whose turn it is and asks the island's own. A strategy knows no process and no clock;
// it reads a run's state and answers with values (a request, an event). Everything random comes from the run's seed,
// the island and the ordinal of the proposal, so the same state always gives the same decision. Thread: any.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// What a proposer is asked for.
struct ProposalRequest {
    IslandId island;
    std::int64_t ordinal = 0; ///< of the island's proposals; seeds the proposer's randomness
    Focus focus = Focus::Explore;
    std::vector<CandidateId> parents; ///< first: the one to edit; second: for crossover
    SteeringRequestId steering = {}; ///< a user's, for which it is made
    std::string idea = {}; ///< of that steering request: what the prompt says besides
    SteeringPrompt prompt = {}; ///< of that steering request: how the prompt is written
    bool alone = false; ///< the prompt tells nothing of other attempts

    bool operator==(const ProposalRequest&) const = default;
};

class Strategy
{
public:
    virtual ~Strategy() = default;
    virtual std::string name() const = 0;
    /// Whether orders that change how an island searches, or who lives there, mean anything to it.
    virtual bool canSteer() const = 0;
    /// The island's request of this ordinal; none while the state offers no parent.
    virtual std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const = 0;
    /// Why that request names these parents and asks for this, in a clause for the user: "the best program of the run".
    virtual std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const = 0;
    /// The place a measured candidate takes in the island; none when it is not good enough for one.
    virtual std::optional<events::Admitted> admit(
        const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell) const = 0;
    /// What leaves the island for a neighbour of the same strategy after an admission; none when it is not due.
    virtual std::optional<events::Migrated> migrate(const RunState& state, const Island& island) const = 0;
    /// Ratio to the incumbent below which a screening may stop early; 0 for never.
    virtual double screeningFloor(const RunState& state, const Island& island) const = 0;
};

/// "evolve", "iterate", "best-of-n" or "random"; null for any other name. To add a strategy: its file, and its line in
/// strategies.cpp.
const Strategy* strategyNamed(std::string_view name);
std::vector<std::string> strategyNames();

} // namespace tilewright
