// SPDX-License-Identifier: GPL-3.0-or-later
// How fast an endpoint may be asked by a rule of our own: so many requests, and so many tokens, in any minute. A
// sliding window over what was sent and told. Pure; times are of a monotonic clock.
#pragma once

#include "core/base/result.h"
#include "core/llm/usage.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string_view>

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

// Whether a request may still be sent: what was spent, what flies, what the next one can cost at worst. Also the guess
// how many tokens a text has, corrected by what servers report. Pure.

struct SpendingLimits {
    std::int64_t tokens = 0; ///< 0 = no limit
    double usd = 0; ///< 0 = no limit

    bool operator==(const SpendingLimits&) const = default;
};

/// The books of a run. Reserve before sending, settle when the reply is there, whatever came of it.
struct Spending {
    TokenUsage tokens;
    double usd = 0; ///< of replies whose price is known
    std::int64_t unpriced = 0; ///< replies with an unknown cost
    std::int64_t reservedTokens = 0;
    double reservedUsd = 0;
    /// What requests of which nobody told may have used beyond that: it counts as used, else a limit could be passed
    /// unseen.
    std::int64_t doubtfulTokens = 0;
    double doubtfulUsd = 0;

    bool operator==(const Spending&) const = default;
    void reserve(const WorstCase& worst);
    void settle(const WorstCase& worst, const TokenUsage& spent, std::optional<double> cost);
};

/// Nothing if the request fits. Error llm/budget: it could go beyond a limit, or money is limited and its price
/// unknown.
Result<void> checkBudget(const SpendingLimits& limits, const Spending& spending, const WorstCase& worst);

/// Tokens of a text: a quarter of its bytes at first, then as this model's replies have shown.
struct TokenEstimator {
    double tokensPerByte = 0.25;
    std::int64_t seen = 0; ///< replies it learned from

    bool operator==(const TokenEstimator&) const = default;
    std::int64_t tokensOf(std::size_t bytes) const;
    /// From a prompt of this many bytes that a server counted as this many tokens.
    void learn(std::size_t bytes, std::int64_t tokens);
};

} // namespace tilewright
