// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_state.h"

#include <vector>

namespace tilewright {

inline constexpr const char* byPolicy = "policy"; ///< who said a word: not a person, but what they set

/// The candidate that goes on because of a person's word and is being measured, or was: the word can no longer be taken
/// back. Null while it can.
const Candidate* measuredAfter(const RunState& state, const Review& review);

/// The word of a person, or of the policy that they changed, that was said last and stands; reviews are numbered as
/// they are asked, not as they are decided. Null where none does.
const Review* newestWord(const RunState& state);

/// Whether a word on it stands that can be taken back still: nothing was measured after it.
bool canTakeWordBack(const RunState& state, CandidateId candidate);

/// All that the change of policy let through that let this one through.
std::vector<CandidateId> letThroughWith(const RunState& state, const Review& byPolicy);

/// Why, as the person put it in the word on this candidate that was taken back last; "" unless it waits again.
std::string reasonTakenBack(const RunState& state, CandidateId candidate);

/// Those of the scope that wait now and that the policy would let through.
std::vector<CandidateId> letThroughBy(const RunState& run, const PolicyScope& scope, ReviewPolicy policy);
/// Those of the island (id 0: of all) that wait now and that the policies would let through.
std::vector<CandidateId> letThroughByPolicies(const RunState& run, IslandId island, const ReviewPolicies& policies);

} // namespace tilewright
