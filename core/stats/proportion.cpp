// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/proportion.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

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
