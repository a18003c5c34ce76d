// SPDX-License-Identifier: Apache-2.0
// How the roundings of a long sum add up, for node and GPU worker alike. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tilewright {

/// Contents of a task's inputs whose sums round in one direction: few distinct values give the same rounding again and
/// again, values of very different size let the small ones vanish beside the sum.
enum class Rounding { ByChance, OneWay };

/// The factor on the bound 4·√K·u of a sum of K terms that an operation adds up one after another. Roundings by chance
/// grow with √K; roundings in one direction grow with K and reach up to K/4 units of the whole. Measured with
/// softmax, LayerNorm and RMSNorm of 256 to 32768 columns in plain float loops ("Long sums" in
/// docs/measurements.md): below half of this.
inline double roundingGrowth(Rounding rounding, std::int64_t terms)
{
    return rounding == Rounding::OneWay ? std::max(1.0, std::sqrt(static_cast<double>(terms)) / 16) : 1;
}

/// The limit of the whole result's relative error: the task's tau, and what roundings in one direction add to it.
inline double normLimit(double tau, Rounding rounding, std::int64_t terms)
{
    constexpr double unit = 0x1.0p-24; // sums are in fp32
    return tau + (roundingGrowth(rounding, terms) - 1) * 8 * std::sqrt(static_cast<double>(terms)) * unit;
}

} // namespace tilewright
