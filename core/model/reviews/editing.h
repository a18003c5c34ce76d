// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a run's state by their ids, for apply() and the files that it is split into: nobody else changes a state.
#pragma once

#include "core/model/candidate.h"
#include "core/model/run_state.h"

#include <optional>
#include <utility>

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
inline ModelRequest* edit(RunState& state, ModelRequestId id)
{
    return state.modelRequest(id) ? &state.modelRequests.edit(static_cast<std::size_t>(id.value - 1)) : nullptr;
}
inline SteeringRequest* edit(RunState& state, SteeringRequestId id)
{
    return steeringRequestOf(state, id) ? &state.steeringRequests[static_cast<std::size_t>(id.value - 1)] : nullptr;
}

// The places of the evaluations budget: a candidate takes one when its first build begins, and is numbered by it; and
// the order in which they have results. Part of apply(): see run_state.h.

/// The number of the place that is taken: one that was freed, else the next.
inline std::int64_t takePlace(RunState& state)
{
    ++state.evaluationsStarted;
    return state.freedPlaces.empty() ? state.evaluationsStarted
                                     : state.freedPlaces.extract(state.freedPlaces.begin()).value();
}

/// How often one was taken, also of those that were freed since.
inline std::int64_t placesTaken(const RunState& state) { return state.evaluationsStarted + state.placesFreed; }

/// Its place, if it has one, is another candidate's to take.
inline void freePlace(RunState& state, Candidate& candidate)
{
    if (candidate.evaluationNumber == 0)
        return;
    --state.evaluationsStarted;
    ++state.placesFreed;
    state.freedPlaces.insert(std::exchange(candidate.evaluationNumber, 0));
}

/// It has its first result. A copy that took no place has none of its own.
inline void countResult(RunState& state, Candidate& candidate)
{
    if (candidate.evaluationNumber > 0)
        ++state.evaluationsDone, candidate.resultNumber = ++state.resultsEver;
}

// Candidates that were taken back: copies off their island, and what a user wrote. Part of apply(): see run_state.h.

struct RunState;

/// Marks those of the copies of which nothing came: only the record tells of them from then on. One that was asked
/// about as a parent, or copied on, stays in sight, and with it where the others came from.
void takeBack(RunState& state, const std::vector<CandidateId>& candidates);
/// All copies that ever came to the island.
std::vector<CandidateId> copiesOn(const RunState& state, IslandId island);

// What the events of questions to models do to a run's state: part of apply(), see run_state.h.

Result<void> applyModelRequest(RunState& state, const events::Asked& event);
/// What the log says of it, where no whole answer came.
Result<std::optional<LogLine>> applyModelRequest(RunState& state, const events::Answered& event);
Result<void> applyModelRequest(RunState& state, const events::BodyArrived& event);
Result<void> applyModelRequest(RunState& state, const events::TriedAgain& event);

// What a result tells of its candidate: its figures from then on, and the line of the log. Part of apply(), see
// run_state.h.

/// The candidate's figures are those of this result, and the run counts its outcome once.
void takeFigures(RunState& state, Candidate& candidate, const events::Evaluated& event);

LogLine lineOf(const Evaluation& evaluation);

} // namespace tilewright
