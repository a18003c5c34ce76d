// SPDX-License-Identifier: GPL-3.0-or-later
// The islands of a run: which there are at its beginning, whose turn it is, and what each island's own strategy says.
// What concerns the run as a whole, its incumbent, is decided for all of them alike. Pure.
#pragma once

#include "core/evolve/strategy.h"

#include <set>

namespace tilewright {

/// Requests by island that were made and not answered yet: they hold ordinals that the state does not know.
using PendingRequests = std::map<IslandId, std::int64_t>;

/// Islands that take no turn for now, whatever the state says: what a step asked of them is there.
using RestingIslands = std::set<IslandId>;

/// The islands that a new run begins with, in order of id.
std::vector<events::IslandCreated> foundersOf(const RunSettings& settings);

/// The strategy of an island; `evolve` where a later version wrote another name.
const Strategy& strategyOf(const Island& island);

/// The next request of the island whose turn it is; none while the state offers no parent, or every island rests or
/// waits for a review (mayPropose()).
std::optional<ProposalRequest> nextRequest(
    const RunState& state, const PendingRequests& pending, const RestingIslands& resting = {});

/// As Strategy::why(); "" for an island that is not there.
std::string whyRequested(const RunState& state, const ProposalRequest& request);

/// As Strategy's functions of these names; none, and 0, for an island or candidate that is not there.
std::optional<events::Admitted> admissionOf(
    const RunState& state, IslandId island, CandidateId candidate, const std::string& cell);
std::optional<events::Migrated> migrationOf(const RunState& state, IslandId island);
double screeningFloorOf(const RunState& state, IslandId island);

/// Whether a candidate whose confirmation just came back takes over from the incumbent.
bool becomesIncumbent(const RunState& state, CandidateId candidate);

} // namespace tilewright
