// SPDX-License-Identifier: GPL-3.0-or-later
// How fast an endpoint may be asked by a rule of our own: so many requests, and so many tokens, in any minute. A
// sliding window over what was sent and told. Pure; times are of a monotonic clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace tilewright {

struct PaceLimits {
    std::int64_t requests = 0, tokens = 0; ///< a minute; 0 = no limit

    bool operator==(const PaceLimits&) const = default;
};

/// Something that counts: a request that goes out with its estimate, or tokens that turned out to be more.
struct PaceLoad {
    std::int64_t requests = 0, tokens = 0;
};

class Pace
{
public:
    static constexpr std::chrono::minutes window{1};

    explicit Pace(PaceLimits limits)
        : m_limits(limits)
    {
    }

    void count(std::chrono::nanoseconds now, PaceLoad load) { m_loads.push_back({now, load}); }
    /// Time until one more request of this size fits behind those that are `ahead` of it; 0 if it does now. What is
    /// larger than a whole minute's tokens fits where nothing else is.
    std::chrono::nanoseconds waitFor(std::chrono::nanoseconds now, std::int64_t tokens, PaceLoad ahead = {}) const;
    /// Forgets what no minute holds any more.
    void forgetBefore(std::chrono::nanoseconds now);

private:
    struct Counted {
        std::chrono::nanoseconds at;
        PaceLoad load;
    };
    bool fits(const PaceLoad& present, std::int64_t tokens) const;

    PaceLimits m_limits;
    std::deque<Counted> m_loads; ///< oldest first
};

} // namespace tilewright
