// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a run's state by their ids, for apply() and the files that it is split into: nobody else changes a state.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// Number of the event that is being applied.
inline std::int64_t seqOfEvent(const RunState& state) { return state.lastSeq + 1; }

/// Null where there is none.
inline Candidate* edit(RunState& state, CandidateId id)
{
    return state.candidate(id) ? &state.candidates.edit(static_cast<std::size_t>(id.value - 1)) : nullptr;
}
inline Review* edit(RunState& state, ReviewId id)
{
    return state.review(id) ? &state.reviews.edit(static_cast<std::size_t>(id.value - 1)) : nullptr;
}
inline Island* edit(RunState& state, IslandId id)
{
    return state.island(id) ? &state.islands[static_cast<std::size_t>(id.value - 1)] : nullptr;
}
inline Inquiry* edit(RunState& state, InquiryId id)
{
    return state.inquiry(id) ? &state.inquiries.edit(static_cast<std::size_t>(id.value - 1)) : nullptr;
}
inline Wish* edit(RunState& state, WishId id)
{
    return wishOf(state, id) ? &state.wishes[static_cast<std::size_t>(id.value - 1)] : nullptr;
}

} // namespace tilewright
