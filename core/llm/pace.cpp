// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/pace.h"
#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

bool Pace::fits(const PaceLoad& present, std::int64_t tokens) const
{
    return (m_limits.requests <= 0 || present.requests < m_limits.requests)
        && (m_limits.tokens <= 0 || present.tokens == 0 || present.tokens + tokens <= m_limits.tokens);
}

std::chrono::nanoseconds Pace::waitFor(std::chrono::nanoseconds now, std::int64_t tokens, PaceLoad ahead) const
{
    PaceLoad present = ahead;
    for (const Counted& each : m_loads)
        if (each.at + window > now) {
            present.requests += each.load.requests;
            present.tokens += each.load.tokens;
        }
    if (fits(present, tokens))
        return std::chrono::nanoseconds(0);
    for (const Counted& each : m_loads) {
        if (each.at + window <= now)
            continue;
        present.requests -= each.load.requests;
        present.tokens -= each.load.tokens;
        if (fits(present, tokens))
            return each.at + window - now;
    }
    return window; // those ahead leave no room: they go first
}

void Pace::forgetBefore(std::chrono::nanoseconds now)
{
    while (!m_loads.empty() && m_loads.front().at + window <= now)
        m_loads.pop_front();
}

namespace {

std::string dollars(double usd) { return fixedText(usd, usd < 0.01 ? 6 : 4) + " $"; }

constexpr const char* doubtfulWords = " are reserved for requests without reported usage";
constexpr const char* raiseHint = "raise the budget, or lower the output limit of the model";

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
    if (limits.tokens > 0 && tokens > limits.tokens) {
        const std::int64_t left = std::max<std::int64_t>(0, limits.tokens - (tokens - worst.tokens()));
        return fail("llm/budget",
            "the token budget does not cover another request: it could use " + std::to_string(worst.tokens())
                + " tokens, and " + std::to_string(left) + " of " + std::to_string(limits.tokens) + " are left"
                + (spending.doubtfulTokens > 0 ? ", as " + std::to_string(spending.doubtfulTokens) + doubtfulWords
                                               : ""),
            raiseHint, {{"tokens", tokens}, {"limit", limits.tokens}, {"could_use", worst.tokens()}, {"left", left}});
    }
    if (limits.usd <= 0)
        return {};
    if (!worst.usd)
        return fail("llm/budget", "cost is limited, but the price of this model is unknown",
            "set the \"price\" of the model (0 for your own server), or remove the cost limit");
    const double usd = spending.usd + spending.doubtfulUsd + spending.reservedUsd + *worst.usd;
    if (usd > limits.usd) {
        const double left = std::max(0.0, limits.usd - (usd - *worst.usd));
        return fail("llm/budget",
            "the cost budget does not cover another request: it could cost " + dollars(*worst.usd) + ", and "
                + dollars(left) + " of " + dollars(limits.usd) + " are left"
                + (spending.doubtfulUsd > 0 ? ", as " + dollars(spending.doubtfulUsd) + doubtfulWords : ""),
            raiseHint, {{"usd", usd}, {"limit", limits.usd}, {"could_cost", *worst.usd}, {"left", left}});
    }
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
