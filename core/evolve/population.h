// SPDX-License-Identifier: GPL-3.0-or-later
// Who lives on an island: one elite a niche cell (MAP-Elites, Mouret and Clune 2015) and a bounded population around
// them. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// Members of an island beyond which the worst that holds no cell leaves.
constexpr std::size_t populationLimit = 24;

struct Place {
    bool taken = false; ///< it lives on the island now
    bool elite = false; ///< it holds its cell now
    std::vector<CandidateId> displaced; ///< who left for it

    bool operator==(const Place&) const = default;
};

/// Whether a newcomer has to be good enough, or stays whoever else has to leave.
enum class Entry { Competes, Stays };

/// The place of a candidate with this score and cell on the island. It need not be in the state yet (a migrant). Who
/// is pinned never leaves; who is banned holds no cell and leaves first.
Place placeFor(const RunState& state, const Island& island, CandidateId candidate, double score,
    const std::string& cell, Entry entry = Entry::Competes);

/// The event of a ranked candidate that competes for a place with its score; none where it gets none.
std::optional<events::Admitted> placeByFitness(
    const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell);

/// Score that selection ranks by: the confirmed one, else the provisional one; 0 for what was not ranked.
double fitnessOf(const Candidate& candidate);
double fitnessOf(const RunState& state, CandidateId candidate); ///< 0 also for nobody

/// Ranked members and elites of the island and those pinned there, without the banned ones: whoever may be a parent,
/// best first; equal scores in order of id.
std::vector<const Candidate*> byFitness(const RunState& state, const Island& island);

} // namespace tilewright
