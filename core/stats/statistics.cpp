// SPDX-License-Identifier: Apache-2.0
#include "core/stats/statistics.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr std::size_t rememberedRatios = 200;
constexpr std::size_t fewestRatios = 8;

/// Puts the values in order on the way.
double quantileInPlace(std::vector<double>& values, double q)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const double place = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Puts the blocks of each shape in order on the way.
double meanOfMedians(std::vector<BlockRatios>& shapes)
{
    double sum = 0;
    for (BlockRatios& blocks : shapes)
        sum += quantileInPlace(blocks, 0.5);
    return sum / static_cast<double>(shapes.size());
}

/// How much wider than the bootstrap's the interval has to be for so few blocks.
double smallSampleStretch(const std::vector<BlockRatios>& shapes)
{
    double stretch = 1;
    for (const BlockRatios& blocks : shapes) {
        const auto count = static_cast<double>(blocks.size());
        stretch = std::max(stretch, count > 1 ? std::sqrt(count / (count - 1)) : 2.0);
    }
    return stretch;
}

} // namespace

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double quantile(std::vector<double> values, double q) { return quantileInPlace(values, q); }

std::optional<Interval> geometricMeanRatio(const std::vector<BlockRatios>& shapes, std::uint64_t seed, int resamples)
{
    if (shapes.empty() || std::ranges::any_of(shapes, [](const BlockRatios& blocks) { return blocks.empty(); }))
        return std::nullopt;
    std::vector<BlockRatios> drawn = shapes;
    const double center = meanOfMedians(drawn);
    CounterRandom random(seed, 0, 0);
    std::vector<double> draws;
    for (int i = 0; i < resamples; ++i) {
        for (std::size_t s = 0; s < shapes.size(); ++s)
            for (double& block : drawn[s])
                block = shapes[s][random.below(shapes[s].size())];
        draws.push_back(meanOfMedians(drawn));
    }
    const double stretch = smallSampleStretch(shapes);
    const double lo = center - stretch * std::max(0.0, center - quantileInPlace(draws, 0.025));
    const double hi = center + stretch * std::max(0.0, quantileInPlace(draws, 0.975) - center);
    return Interval{std::exp(center), std::exp(lo), std::exp(hi)};
}

Interval timesInterval(const Interval& a, const Interval& b)
{
    const double value = a.value * b.value;
    const auto combined
        = [&](double fromA, double fromB) { return std::hypot(std::log(fromA / a.value), std::log(fromB / b.value)); };
    return {value, value * std::exp(-combined(a.lo, b.lo)), value * std::exp(combined(a.hi, b.hi))};
}

void NoiseRecord::add(double logRatio)
{
    if (!std::isfinite(logRatio))
        return;
    m_ratios.push_back(std::abs(logRatio));
    if (m_ratios.size() > rememberedRatios)
        m_ratios.pop_front();
}

double NoiseRecord::measured() const
{
    if (m_ratios.size() < fewestRatios)
        return 0;
    return quantile({m_ratios.begin(), m_ratios.end()}, 0.95);
}

std::optional<ShareInterval> wilsonInterval(std::int64_t successes, std::int64_t all)
{
    constexpr double z = 1.959964; // of the normal distribution: 95 % lie within
    if (all <= 0)
        return {};
    const double n = static_cast<double>(all), share = static_cast<double>(successes) / n, z2 = z * z;
    const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = z / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return ShareInterval{std::max(centre - half, 0.0), std::min(centre + half, 1.0)};
}

} // namespace tilewright
