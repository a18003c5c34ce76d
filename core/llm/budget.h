// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a request may still be sent: what was spent, what flies, what the next one can cost at worst. Also the guess
// how many tokens a text has, corrected by what servers report. Pure.
#pragma once

#include "core/base/result.h"
#include "core/llm/usage.h"

#include <string_view>

namespace tilewright {

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
