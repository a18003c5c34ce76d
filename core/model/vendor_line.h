// SPDX-License-Identifier: GPL-3.0-or-later
// Where the vendor's library and the baseline stand on the scales of the run's figures. Every confirmation times both
// beside its candidate, and each of them says so anew: who is the best, or banned, changes nothing. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

/// Of a figure that the run's confirmations measured again and again.
struct RepeatedFigure {
    Interval value; ///< the median; lo and hi: as far as any of the measurements and its 95 % interval reach
    int times = 0; ///< confirmations that measured it

    bool operator==(const RepeatedFigure&) const = default;
};

/// Baseline time / vendor time over the training shapes; none before the first confirmation.
std::optional<RepeatedFigure> vendorScore(const RunState& run);
/// The same, upside down: vendor time / baseline time.
std::optional<RepeatedFigure> baselineVersusVendor(const RunState& run);
/// Nanoseconds, as the geometric mean over the training shapes.
std::optional<RepeatedFigure> baselineTime(const RunState& run);
std::optional<RepeatedFigure> vendorTime(const RunState& run);

/// Geometric mean over the training shapes of one of their times; none where one of them was not taken.
std::optional<double> meanTime(const EvaluationResult& result, std::optional<double> (*timeOf)(const ShapeResult&));

} // namespace tilewright
