// SPDX-License-Identifier: GPL-3.0-or-later
// What used tokens cost, and where the figures come from. Pure.
#pragma once

#include "core/base/names.h"
#include "core/model/requests/model_request.h"

#include <optional>
#include <string>

namespace tilewright {

/// Where a usage comes from. Estimated: the server gave none, or broke off before it did.
enum class UsageSource { None, Reported, Estimated };
inline constexpr NameTable<UsageSource, 3> usageSources{
    {{UsageSource::None, "none"}, {UsageSource::Reported, "reported"}, {UsageSource::Estimated, "estimated"}}};

/// US dollars per million tokens. Reasoning costs what output costs.
struct TokenPrice {
    double input = 0, output = 0;
    std::optional<double> cacheRead, cacheWrite; ///< none: unknown
    std::string date; ///< the day the figures were read, "2026-11-01"
    std::string source; ///< where; may be empty

    bool operator==(const TokenPrice&) const = default;
};

/// Dollars; none if the price is unknown, or the price of a kind of token that was used. Unknown is never 0.
std::optional<double> costUsd(const TokenUsage& usage, const std::optional<TokenPrice>& price);

/// The most a request can use and cost, known before it is sent.
struct WorstCase {
    std::int64_t inputTokens = 0, outputTokens = 0;
    std::optional<double> usd; ///< none: the price is unknown

    bool operator==(const WorstCase&) const = default;
    std::int64_t tokens() const { return inputTokens + outputTokens; }
};

/// As if nothing came from the cache and every token was written into it where that is dearer.
WorstCase worstCase(
    std::int64_t inputTokens, std::int64_t outputTokens, int samples, const std::optional<TokenPrice>& price);

nlohmann::json toJson(const TokenPrice& price);

} // namespace tilewright
