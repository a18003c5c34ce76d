// SPDX-License-Identifier: GPL-3.0-or-later
// The places of the evaluations budget: a candidate takes one when its first build begins, and is numbered by it; and
// the order in which they have results. Part of apply(): see run_state.h.
#pragma once

#include "core/model/run_state.h"

#include <utility>

namespace tilewright {

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

} // namespace tilewright
