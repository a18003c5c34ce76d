// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run stands on steady ground: its noise floor, the clocks that its evaluations recorded, and the scores of
// its bests. The one place of these rules. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// A noise floor above this hides gains that a user would care about.
inline constexpr double noisyFrom = 0.02;
inline bool isNoisy(double noiseFloor) { return noiseFloor > noisyFrom; }

/// Clocks that differ by more than this share are no longer the same.
inline constexpr double clockDriftFrom = 0.02;

/// MHz at which it was timed, of what its blocks read; none where nothing was timed. Of a GPU the middle of its lowest
/// and highest reading. Of a CPU the highest: its probe is a loop of instructions, which reads too low whenever it is
/// interrupted, and never too high.
std::optional<double> clockOf(const EvaluationResult& result);

/// log(faster clock / slower clock) where they are no longer the same; 0 where they are, or one is not known.
double clockDistance(const EvaluationResult& one, const EvaluationResult& other);

struct ClockDrift {
    std::string device;
    double firstMhz = 0, nowMhz = 0; ///< medians over the run's first timings there, and over its newest

    bool operator==(const ClockDrift&) const = default;
    double share() const { return nowMhz / firstMhz - 1; } ///< −0.04: 4 % slower now
};
/// Of the run's devices the one whose clock is farthest from where it began, if that is more than clockDriftFrom; none
/// while too little was timed to tell. Looks at both ends of the evaluations only, however many there are.
std::optional<ClockDrift> clockDriftOf(const RunState& run);

/// How far the scores of different times stand apart. Whoever challenges the best is confirmed in pairs with it and
/// with the seed, which times the best against the seed once more.
struct ScoreDrift {
    CandidateId program, beside; ///< the best of its time, and the challenger that it was timed with again
    double confirmed = 0, again = 0; ///< its score when it was confirmed, and beside the challenger
    std::int64_t apartNs = 0; ///< run time between the two; 0: not known

    bool operator==(const ScoreDrift&) const = default;
    double share() const { return again / confirmed - 1; } ///< 0.1: a tenth higher now
    double logShare() const;
};
inline constexpr double scoreDriftFrom = 0.02;
/// Of the best that this one was confirmed beside, however little its score moved; none where there was none but the
/// seed, whose own score is 1 whatever happens.
std::optional<ScoreDrift> scoreDriftBeside(const RunState& run, CandidateId challenger);
/// The farthest that the score of a best moved, if by more than scoreDriftFrom. Looks at all who became the best,
/// banned or not. `until`: at what was measured up to that evaluation; none: at all.
std::optional<ScoreDrift> scoreDriftOf(const RunState& run, EvaluationId until = {});

/// How far this one's score and that of the run's best stand apart beyond what pairs tell of the two, log, if that is
/// more than scoreDriftFrom; else 0. Above 0: against the best, its score reads too high.
double scaleApart(const RunState& run, const Candidate& candidate);

/// Run time at which the result came; 0 not known.
std::int64_t measuredNs(const RunState& run, EvaluationId evaluation);
/// Run time between two results; 0 where one of them is not known.
std::int64_t timeApart(const RunState& run, EvaluationId one, EvaluationId other);

} // namespace tilewright
