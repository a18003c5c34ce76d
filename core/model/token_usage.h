// SPDX-License-Identifier: GPL-3.0-or-later
// What replies used. Providers count differently (cached tokens inside or beside the input, reasoning inside the
// output); here every figure stands for itself and none is counted twice. Pure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace tilewright {

/// Tokens of one reply or of many. The five figures are disjoint: their sum is everything that was read and written.
struct TokenUsage {
    std::int64_t input = 0; ///< read, neither from a cache nor into one
    std::int64_t cacheRead = 0;
    std::int64_t cacheWrite = 0;
    std::int64_t outputVisible = 0;
    std::int64_t reasoning = 0; ///< billed as output, not part of the answer

    bool operator==(const TokenUsage&) const = default;
    TokenUsage& operator+=(const TokenUsage& other);
    std::int64_t read() const { return input + cacheRead + cacheWrite; }
    std::int64_t written() const { return outputVisible + reasoning; }
    std::int64_t total() const { return read() + written(); }
};

nlohmann::json toJson(const TokenUsage& usage);
/// A figure that is absent or no whole number is 0. The visible output was "output" in the first sessions.
TokenUsage usageFromJson(const nlohmann::json& json);

} // namespace tilewright
