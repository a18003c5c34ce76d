// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/person_edit.h"

namespace tilewright {

const Review* ownReview(const RunState& state, const Candidate& candidate)
{
    const Review* review = state.review(candidate.review);
    return review && review->candidate == candidate.id ? review : nullptr;
}

CandidateId editedInto(const RunState& state, const Candidate& candidate)
{
    const Review* review = ownReview(state, candidate);
    const bool isEdited = review && review->decision == Decision::Edited && !review->undone;
    return isEdited ? review->edited : CandidateId{};
}

CandidateId editedFrom(const RunState& state, const Candidate& candidate)
{
    const Review* review = state.review(candidate.review);
    return review && review->edited == candidate.id ? review->candidate : CandidateId{};
}

std::string wordsOfEdit(const RunState& state, const Candidate& candidate)
{
    if (const CandidateId into = editedInto(state, candidate))
        return "edited into " + candidateName(into);
    if (const CandidateId from = editedFrom(state, candidate))
        return "edited from " + candidateName(from);
    return {};
}

} // namespace tilewright
