// SPDX-License-Identifier: GPL-3.0-or-later
// How well a share is known that so many of so many showed. Pure.
#pragma once

#include <cstdint>
#include <optional>

namespace tilewright {

struct ShareInterval {
    double low = 0, high = 0; ///< 0 to 1

    bool operator==(const ShareInterval&) const = default;
};

/// The 95 % score interval of a share (Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
/// JASA 1927): it stays within 0 and 1, and does for few as well. None of none.
std::optional<ShareInterval> wilsonInterval(std::int64_t successes, std::int64_t all);

} // namespace tilewright
