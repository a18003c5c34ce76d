// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/budget.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilewright {
namespace {

std::string dollars(double usd)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4f $", usd);
    return text;
}

constexpr const char* doubtfulWords = " of it for requests whose use nobody told";

} // namespace

void Spending::reserve(const WorstCase& worst)
{
    reservedTokens += worst.tokens();
    reservedUsd += worst.usd.value_or(0);
}

void Spending::settle(const WorstCase& worst, const TokenUsage& spent, std::optional<double> cost)
{
    reservedTokens -= worst.tokens();
    reservedUsd = std::max(0.0, reservedUsd - worst.usd.value_or(0));
    tokens += spent;
    if (cost)
        usd += *cost;
    else
        ++unpriced;
}

Result<void> checkBudget(const SpendingLimits& limits, const Spending& spending, const WorstCase& worst)
{
    const std::int64_t tokens
        = spending.tokens.total() + spending.doubtfulTokens + spending.reservedTokens + worst.tokens();
    if (limits.tokens > 0 && tokens > limits.tokens)
        return fail("llm/budget",
            "the token budget is used up: this request could bring it to " + std::to_string(tokens) + " of "
                + std::to_string(limits.tokens)
                + (spending.doubtfulTokens > 0 ? ", " + std::to_string(spending.doubtfulTokens) + doubtfulWords : ""),
            "raise the budget, or lower the output limit of the model", {{"tokens", tokens}, {"limit", limits.tokens}});
    if (limits.usd <= 0)
        return {};
    if (!worst.usd)
        return fail("llm/budget", "money is limited, but the price of this model is unknown",
            "give the model a \"price\" (0 for your own server), or take the money limit away");
    const double usd = spending.usd + spending.doubtfulUsd + spending.reservedUsd + *worst.usd;
    if (usd > limits.usd)
        return fail("llm/budget",
            "the money budget is used up: this request could bring it to " + dollars(usd) + " of " + dollars(limits.usd)
                + (spending.doubtfulUsd > 0 ? ", " + dollars(spending.doubtfulUsd) + doubtfulWords : ""),
            "raise the budget, or lower the output limit of the model", {{"usd", usd}, {"limit", limits.usd}});
    return {};
}

std::int64_t TokenEstimator::tokensOf(std::size_t bytes) const
{
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(bytes) * tokensPerByte));
}

void TokenEstimator::learn(std::size_t bytes, std::int64_t tokens)
{
    if (bytes < 64 || tokens <= 0)
        return; // the frame around a short prompt would say more than its text
    const double observed = std::clamp(static_cast<double>(tokens) / static_cast<double>(bytes), 0.05, 1.5);
    const double share = 1.0 / static_cast<double>(std::min<std::int64_t>(++seen + 1, 8));
    tokensPerByte += (observed - tokensPerByte) * share;
}

} // namespace tilewright
