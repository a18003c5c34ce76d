// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/usage.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr double perMillion = 1e-6;

/// Adds one kind of token to a sum that is unknown as soon as one part of it is.
void add(std::optional<double>& sum, std::int64_t tokens, const std::optional<double>& price)
{
    if (tokens == 0 || !sum)
        return;
    if (price)
        *sum += static_cast<double>(tokens) * *price * perMillion;
    else
        sum.reset();
}

} // namespace

std::optional<double> costUsd(const TokenUsage& usage, const std::optional<TokenPrice>& price)
{
    if (!price)
        return std::nullopt;
    std::optional<double> sum = 0.0;
    add(sum, usage.input, price->input);
    add(sum, usage.cacheRead, price->cacheRead);
    add(sum, usage.cacheWrite, price->cacheWrite);
    add(sum, usage.written(), price->output);
    return sum;
}

WorstCase worstCase(
    std::int64_t inputTokens, std::int64_t outputTokens, int samples, const std::optional<TokenPrice>& price)
{
    WorstCase worst{inputTokens, outputTokens * std::max(samples, 1), std::nullopt};
    if (price) {
        const double input = std::max(price->input, price->cacheWrite.value_or(0));
        worst.usd
            = (static_cast<double>(worst.inputTokens) * input + static_cast<double>(worst.outputTokens) * price->output)
            * perMillion;
    }
    return worst;
}

nlohmann::json toJson(const TokenPrice& price)
{
    nlohmann::json json{{"input", price.input}, {"output", price.output}, {"date", price.date}};
    if (price.cacheRead)
        json["cache_read"] = *price.cacheRead;
    if (price.cacheWrite)
        json["cache_write"] = *price.cacheWrite;
    if (!price.source.empty())
        json["source"] = price.source;
    return json;
}

} // namespace tilewright
