// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates that a person edited under review, and what was put in their place: the one place of these words. Pure.
#pragma once

#include "core/model/run_state.h"

#include <string_view>

namespace tilewright {

/// The rule of a candidate that is over because a person edited it: nobody rejected it.
inline constexpr std::string_view ruleOfEdited = "review/edited";

inline bool isEditedByPerson(const Candidate& candidate) { return candidate.rule == ruleOfEdited; }

/// The candidate that a person put in this one's place; none where nobody did, or it was taken back.
CandidateId editedInto(const RunState& state, const Candidate& candidate);
/// The candidate in whose place a person wrote this one; none for others.
CandidateId editedFrom(const RunState& state, const Candidate& candidate);

/// The review that was asked for about this very program; null for others, as for one that a person wrote in another's
/// place: it stands under the word on that other one, whose facts are not its own.
const Review* ownReview(const RunState& state, const Candidate& candidate);

/// "edited into c-0031" of the first, "edited from c-0030" of the second; "" for others.
std::string wordsOfEdit(const RunState& state, const Candidate& candidate);

} // namespace tilewright
