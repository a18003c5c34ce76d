// SPDX-License-Identifier: GPL-3.0-or-later
// The one layer that tries again. How long to wait is a pure function of the call, the try and what the server asked.
#pragma once

#include "core/base/random.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace tilewright {

struct RetryRules {
    int mostAttempts = 6;
    std::chrono::milliseconds first{500}, longest{8'000};
    /// A server that asks for a longer wait than this is not waited for: the call fails and the model rests.
    std::chrono::milliseconds mostAsked{120'000};

    bool operator==(const RetryRules&) const = default;
};

/// The pause before try `next` (2, 3, …): 0.5, 1, 2, 4, 8, 8 … s, each times 0.75 to 1 so that many callers do not come
/// back at once; or what the server asked for. None: do not try again.
inline std::optional<std::chrono::milliseconds> pauseBefore(
    int next, std::optional<std::chrono::milliseconds> asked, const RetryRules& rules, CounterRandom random)
{
    if (next > rules.mostAttempts)
        return std::nullopt;
    if (asked)
        return *asked <= rules.mostAsked ? asked : std::nullopt;
    const auto doubled = rules.first * (std::int64_t(1) << std::clamp(next - 2, 0, 20));
    const double share = 1.0 - 0.25 * random.uniform();
    const auto pause = std::min<std::chrono::milliseconds>(doubled, rules.longest);
    return std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(pause.count()) * share));
}

} // namespace tilewright
