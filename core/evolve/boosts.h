// SPDX-License-Identifier: GPL-3.0-or-later
// What a user's boosts do to the draw of parents: each candidate's chance is multiplied by the boosts of its lineage.
// Pure.
#pragma once

#include "core/base/random.h"
#include "core/evolve/islands.h"
#include "core/evolve/strategy.h"
#include "core/model/run_state.h"

namespace tilewright {

/// For each candidate the product of the boosts of itself and its ancestors, each counted once; empty where all are
/// equal, as without any boost: then nothing about a draw changes.
std::vector<double> lineageBoosts(const RunState& state, const std::vector<const Candidate*>& candidates);

/// An index, drawn with the given chances times the boosts. Both have the same length, and some product is above 0.
std::size_t drawBoosted(const std::vector<double>& chances, const std::vector<double>& boosts, CounterRandom& random);

// Parents that lately brought nothing new, however often they were drawn: asking again costs time and finds nothing.
// Pure.

/// Whether what is asked for was asked of the same program twice lately, and there was nothing new to offer. Tuning is
/// one thing and changing the structure another. After some hundred proposals it is forgotten: moves and constants that
/// came since may fit.
bool isSpent(const RunState& state, const ProposalRequest& request);

// What a user's open steering request makes of the next request. Pure.

/// The request that the oldest open steering request asks for: the island's own next one, with its focus and its draws,
/// but of the requested parent; with an idea it explores, and with a prompt of its own it is as that says. None without
/// a steering request.
std::optional<ProposalRequest> steeringRequestOf(const RunState& state, const PendingRequests& pending);

// Whom an island's own mix of proposers asks. Pure.

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
