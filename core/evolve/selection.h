// SPDX-License-Identifier: GPL-3.0-or-later
// Which focus an island takes next and whom it edits. Pure; all chance comes from the generator that is handed in.
#pragma once

#include "core/base/random.h"
#include "core/evolve/strategy.h"

namespace tilewright {

/// Candidates of the island that came after this event and have ended: measured or failed. Not counted: what a review
/// rejected, which tells nothing of the search, tuned versions, and copies from other islands.
std::int64_t endedSince(const RunState& state, const Island& island, std::int64_t seq);
/// The same since its best one came; of an island without one, all.
std::int64_t sinceLastImprovement(const RunState& state, const Island& island);

/// Draws a focus from the mix of the island's own focus. An island that has not improved for a while explores more.
Focus drawFocus(const RunState& state, const Island& island, CounterRandom& random);

/// Parents for a focus, with the chances times the boosts of their lineages: one, or two for crossover where the island
/// has two different programs. Empty when the island has nobody yet.
///   exploit    mostly the best, else by rank
///   explore    uniform over elites and population, or an elite in a cell next to the best one's
///   crossover  one by rank and another program of the island
///   tune       the best of a structure (same set of moves), structures by rank
/// Where replies are paid (readsPrompts()), but for tune, only members near the best take part (nearBest()).
std::vector<CandidateId> drawParents(const RunState& state, const Island& island, Focus focus, CounterRandom& random);

/// Members of the island within farFromBest of the best of the run, best first; where it has none, those of all
/// islands. The seed is one of them only while nothing is better.
inline constexpr double farFromBest = 0.9; ///< of the best's speed
std::vector<const Candidate*> nearBest(const RunState& state, const Island& island);
/// Whether a request that is open would not be made any more: the program it is about is far from the best by now. Of
/// one that a user steered, or that is to repair something, never.
bool isOvertaken(const RunState& state, const ModelRequest& request);

/// The island's request of this ordinal: its focus, its parents, all drawn from the run's seed, the island and the
/// ordinal, a parent that is spent (isSpent()) only where no other comes. Where requests are paid, every third one that
/// may change the structure edits the best program of the run. Without parents where the island has nobody yet.
ProposalRequest drawnRequest(const RunState& state, const Island& island, std::int64_t ordinal);
/// With the focus that its parents allow: what cannot be crossed or tuned looks for something new instead.
ProposalRequest fittingRequest(const RunState& state, ProposalRequest request);

/// Cells at distance one on every axis: "3,1" and "2,1". Unknown coordinates have no neighbours.
bool areNeighbours(const std::string& cell, const std::string& other);

} // namespace tilewright
