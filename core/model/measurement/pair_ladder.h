// SPDX-License-Identifier: GPL-3.0-or-later
// Speeds of two programs that were not timed together, by way of those that each was timed beside: from the candidate
// to the best of its hour, from that one to the best before it, down to the seed. Every rung was measured in pairs, so
// a machine that treats the seed otherwise from hour to hour moves none of them. Scores, which all go back to the seed,
// it does move. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// The candidate that a migrated copy is a copy of; itself for all others.
CandidateId originOf(const RunState& state, CandidateId id);

/// Of the evaluation that a candidate's figures come from, what was found on a shape; null where it was not measured on
/// it, or is a held-out result that is not told before confirmation.
const ShapeResult* toldOn(const RunState& run, const Candidate& candidate, const Shape& shape);

/// How much faster a candidate is than another that it was timed side by side with, over all train shapes or on one:
/// by its latest figures, or where it was timed beside its parent. None where the two were not timed side by side.
std::optional<Interval> sideBySide(
    const RunState& run, const Candidate& candidate, CandidateId over, const Shape* shape = nullptr);

/// Over all train shapes, or one shape. Above 1 the candidate is the faster one.
struct PairedSpeed {
    Interval ratio; ///< 95 %; the variances of all pairs on the way added
    int pairs = 0; ///< 1: the two were timed side by side

    bool operator==(const PairedSpeed&) const = default;
};

/// None where no chain of pairs leads from one to the other. `drift`: what each pair may be off by beside its own
/// interval, log; a single pair holds it already.
std::optional<PairedSpeed> speedByPairs(
    const RunState& run, const Candidate& candidate, const Candidate& over, double drift, const Shape* shape = nullptr);

} // namespace tilewright
