// SPDX-License-Identifier: Apache-2.0
// The statistics behind every figure. Ratios are other/candidate times as logarithms; above 0 the candidate is faster.
// Pure; randomness comes from the seed given.
#pragma once

#include "core/model/measurement/evaluation.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tilewright {

/// Middle value (mean of the two middle ones); 0 for none.
double median(std::vector<double> values);
/// Quantile q in [0, 1] by linear interpolation; 0 for none.
double quantile(std::vector<double> values, double q);

/// One shape's log ratios, one for each block that is not void.
using BlockRatios = std::vector<double>;

/// exp of the mean over shapes of the median over blocks, with a 95 % interval by bootstrap over the blocks within each
/// shape. Few blocks make a bootstrap too sure of itself, so with b blocks its width is stretched by sqrt(b / (b − 1)).
/// None when a shape has no block.
std::optional<Interval> geometricMeanRatio(
    const std::vector<BlockRatios>& shapes, std::uint64_t seed, int resamples = 1000);

/// Product of two independent figures; relative variances add.
Interval timesInterval(const Interval& a, const Interval& b);

/// Rolling record of the incumbent against itself. Floor = 95th percentile of the last 200 absolute log ratios.
class NoiseRecord
{
public:
    void add(double logRatio);
    /// 95th percentile of how far the ratios are off; 0 before 8 of them are known.
    double measured() const;
    /// What verdicts allow for: measured(), and a cautious 1 % while that is not known.
    double margin() const { return noiseMargin(measured()); }
    int count() const { return static_cast<int>(m_ratios.size()); }

private:
    std::deque<double> m_ratios;
};

// How well a share is known that so many of so many showed. Pure.

struct ShareInterval {
    double low = 0, high = 0; ///< 0 to 1

    bool operator==(const ShareInterval&) const = default;
};

/// The 95 % score interval of a share (Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
/// JASA 1927): it stays within 0 and 1, and does for few as well. None of none.
std::optional<ShareInterval> wilsonInterval(std::int64_t successes, std::int64_t all);

} // namespace tilewright
