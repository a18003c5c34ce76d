// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has spent, beside a budget that somebody is about to give it. Pure.
#pragma once

#include "core/model/run_state.h"

#include <cstdint>

namespace tilewright {

/// As Budget counts it.
struct Spent {
    std::int64_t evaluations = 0; ///< begun
    std::int64_t runNs = 0;
    std::int64_t tokens = 0, costMicroUsd = 0;
    std::int64_t sinceGain = 0; ///< evaluations
    std::int64_t replies = 0; ///< asked for
};

Spent spentBy(const RunState& run, std::int64_t runNs);
/// As Budget::replies counts: requests for edits that were answered, or are still open.
std::int64_t repliesSpent(const RunState& run);

/// "41 evaluations have begun already: the run ends once they are finished": what of that budget is used up before it
/// is given, and what comes of it. "" where the run can go on.
std::string spentAlready(const Spent& spent, const Budget& budget);

// How much a budget may be, the same for the window and the command line. Pure.

/// Evaluations, and evaluations without a better program; 0 stands for no limit.
inline constexpr int mostEvaluations = 10'000'000;
inline constexpr double mostWallSeconds = 60.0 * mostEvaluations; ///< 19 years: as many minutes

} // namespace tilewright
