// SPDX-License-Identifier: GPL-3.0-or-later
// How a candidate compares with the one it was made from: what the window shows as "vs parent" and `show --json`
// prints. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// A candidate's speed ratio to its first parent: above 1 it is faster.
struct ParentChange {
    CandidateId parent;
    Interval ratio; ///< 95 % interval
    bool paired = false; ///< measured side by side; else by way of pairs, or from both scores, the variances added
    int pairs = 0; ///< that led from one to the other; 0: it is from both scores
    double noise = 0; ///< noise floor, fraction
    double clocks = 0; ///< how far apart the clocks of the two timings were, as clockDistance(); 0: the same, or paired

    /// How much farther scores of different times were found apart after it was measured, log: the verdict is that of
    /// its time, and stands. 0: no farther, or it rests on pairs.
    double movedSince = 0;

    bool assumed = false; ///< the noise floor was not measured then: a margin stands in its place

    bool operator==(const ParentChange&) const = default;
    /// Neither gain nor loss can be claimed: not the whole interval lies beyond the margin of a verdict.
    bool isWithinNoise() const;
};

/// The nearest ancestor by first parents that is ranked: the parent, but for a program that mends one that failed. None
/// where there is none.
CandidateId rankedAncestor(const RunState& run, const Candidate& candidate);

/// Against rankedAncestor(). None without one, or while the candidate has no score. Of a copy on another island, that
/// of what it is a copy of: beside that one it would be compared with itself.
std::optional<ParentChange> versusParent(const RunState& run, const Candidate& candidate);

/// The same against any other candidate, a reference that a user chose: `parent` is that one. None against itself.
std::optional<ParentChange> versusOther(const RunState& run, const Candidate& candidate, CandidateId other);
/// Against `reference` where there is one, else against its parent.
std::optional<ParentChange> versusParentOr(const RunState& run, const Candidate& candidate, CandidateId reference);

/// The same on one shape; none where one of the two was not measured on it, or its held-out result is not told yet.
std::optional<ParentChange> versusParentOn(const RunState& run, const Candidate& candidate, const Shape& shape);

} // namespace tilewright
