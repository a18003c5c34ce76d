// SPDX-License-Identifier: GPL-3.0-or-later
// How much a budget may be, the same for the window and the command line. Pure.
#pragma once

#include <cstdint>

namespace tilewright {

/// Evaluations, and evaluations without a better program; 0 stands for no limit.
inline constexpr int mostEvaluations = 10'000'000;
inline constexpr double mostWallSeconds = 60.0 * mostEvaluations; ///< 19 years: as many minutes

} // namespace tilewright
