// SPDX-License-Identifier: GPL-3.0-or-later
// From which size on one program is faster than another: a scheme with fewer products beside the program that it is
// made of, over square sizes. Pure.
#pragma once

#include "core/model/measurement/evaluation.h"

#include <optional>
#include <vector>

namespace tilewright {

/// One size at which both were timed in turns.
struct CrossoverPoint {
    std::int64_t size = 0;
    Interval ratio; ///< the other's time / the program's: above 1 the program is faster
};

/// The least size from which on, up to the largest that was measured, the program is faster: where the ratio, drawn
/// through the points with straight lines over the logarithms of both, last rises above 1. The interval is where the
/// upper and the lower ends of the points' 95 % intervals do. None: not within the measured sizes. A value that is the
/// smallest measured size means "there or below".
struct Crossover {
    std::optional<double> size, lo, hi;

    bool operator==(const Crossover&) const = default;
};

/// Points in any order; those without a ratio above 0 are left out.
Crossover crossoverOf(std::vector<CrossoverPoint> points);

/// "611 [540, 700]", "611 [540, above 2048]", "at most 256", "above 2048"; "not measured" without points.
std::string crossoverText(const std::vector<CrossoverPoint>& points);

} // namespace tilewright
