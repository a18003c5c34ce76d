// SPDX-License-Identifier: GPL-3.0-or-later
// How the best of a run came about: which it was after so many evaluations, and what was new in it. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// The best of the programs that entered a build among the first so many, by what was proven until now.
struct BestStep {
    std::int64_t evaluations = 0;
    const Candidate* best = nullptr; ///< of the run that was asked about
    /// Against the step before; of the first, all that it has.
    std::vector<std::string> added, removed; ///< moves
    std::vector<std::string> constants; ///< "STAGES = 4", "GROUP 8 → 16"
};

/// Each that was the best, by the number of its evaluation. Banned ones are left out, and who was measured late and
/// proven to be no faster than one that came before.
std::vector<BestStep> bestsOf(const RunState& run);
/// The best after 1, 10, 30, 100, 300, 900, 3000, … evaluations, as far as the run went, and at its end. On the way,
/// who was only screened counts where its interval lies above that of the best that was proven: a confirmation may come
/// long after the evaluation that it is about, and be spared where a better one came meanwhile.
std::vector<BestStep> milestonesOf(const RunState& run);

} // namespace tilewright
