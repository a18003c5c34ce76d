// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/crossover.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Where one end of the points' ratios last rises above 1; points by size.
std::optional<double> lastRise(const std::vector<CrossoverPoint>& points, double Interval::*end)
{
    const auto height = [&](const CrossoverPoint& point) { return std::log(point.ratio.*end); };
    if (points.empty() || height(points.back()) <= 0)
        return std::nullopt;
    for (std::size_t i = points.size() - 1; i > 0; --i) {
        const double above = height(points[i]), below = height(points[i - 1]);
        if (below > 0)
            continue;
        const double from = std::log(static_cast<double>(points[i - 1].size));
        const double to = std::log(static_cast<double>(points[i].size));
        return std::exp(from + (to - from) * -below / (above - below));
    }
    return static_cast<double>(points.front().size);
}

std::vector<CrossoverPoint> usable(std::vector<CrossoverPoint> points)
{
    std::erase_if(points, [](const CrossoverPoint& point) { return point.size < 1 || !(point.ratio.lo > 0); });
    std::ranges::sort(points, {}, &CrossoverPoint::size);
    return points;
}

} // namespace

Crossover crossoverOf(std::vector<CrossoverPoint> given)
{
    const std::vector<CrossoverPoint> points = usable(std::move(given));
    return {lastRise(points, &Interval::value), lastRise(points, &Interval::hi), lastRise(points, &Interval::lo)};
}

std::string crossoverText(const std::vector<CrossoverPoint>& given)
{
    const std::vector<CrossoverPoint> points = usable(given);
    if (points.empty())
        return "not measured";
    const Crossover crossover = crossoverOf(points);
    const auto sizeText = [&](const std::optional<double>& size) {
        if (!size)
            return "above " + std::to_string(points.back().size);
        const bool isFirst = *size <= static_cast<double>(points.front().size);
        return (isFirst ? "at most " : "") + fixedText(*size, 0);
    };
    const std::string size = sizeText(crossover.size), lo = sizeText(crossover.lo), hi = sizeText(crossover.hi);
    return lo == hi ? size : size + " [" + lo + ", " + hi + "]";
}

} // namespace tilewright
