// SPDX-License-Identifier: GPL-3.0-or-later
// How far what was found on the train shapes holds on the held-out ones: the gap between both scores of each confirmed
// candidate, over the run, by island and by who proposed it. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// One confirmed candidate.
struct HeldoutGap {
    CandidateId candidate;
    std::int64_t resultNumber = 0; ///< when its first result came, as Candidate::resultNumber
    /// Held-out figure / train figure, of the speed over the vendor library where it was timed beside, else of the
    /// score: a naive baseline gains differently on shapes of other sizes. Below 1: it gained less where nobody could
    /// look.
    Interval gap;

    bool operator==(const HeldoutGap&) const = default;
};

/// The candidates of one island, of one proposer, or all of them.
struct HeldoutGaps {
    std::string name; ///< "A", "mutator", "model swift"; "all"
    std::vector<HeldoutGap> candidates; ///< in the order of their results
    /// Geometric mean of their gaps; 95 % by how they spread, and no narrower than their measurements allow. None
    /// without candidates.
    std::optional<Interval> mean;

    bool operator==(const HeldoutGaps&) const = default;
    /// The whole interval is below 1 by more than a verdict's margin.
    bool isClear(double noiseFloor) const;
};

struct OverfittingMeter {
    HeldoutGaps all;
    std::vector<HeldoutGaps> islands, proposers; ///< those that have confirmed candidates

    bool operator==(const OverfittingMeter&) const = default;
};

/// Of the confirmed candidates with a held-out score; copies count once, the seed not at all: its scores are 1.
OverfittingMeter overfittingOf(const RunState& run);

/// "held-out shapes gain 4.1 % less than train shapes [2.0 %, 6.2 %], 12 confirmed candidates"; "" without candidates.
std::string overfittingWords(const HeldoutGaps& gaps);

nlohmann::json toJson(const OverfittingMeter& meter, double noiseFloor);

} // namespace tilewright
