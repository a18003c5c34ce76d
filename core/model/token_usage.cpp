// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/token_usage.h"

#include <algorithm>

namespace tilewright {

TokenUsage& TokenUsage::operator+=(const TokenUsage& other)
{
    input += other.input;
    cacheRead += other.cacheRead;
    cacheWrite += other.cacheWrite;
    outputVisible += other.outputVisible;
    reasoning += other.reasoning;
    return *this;
}

nlohmann::json toJson(const TokenUsage& usage)
{
    return {{"input", usage.input}, {"cache_read", usage.cacheRead}, {"cache_write", usage.cacheWrite},
        {"output_visible", usage.outputVisible}, {"reasoning", usage.reasoning}};
}

TokenUsage usageFromJson(const nlohmann::json& json)
{
    const auto at = [&json](const char* key) {
        const auto found = json.find(key);
        const bool whole = found != json.end() && found->is_number_integer();
        return whole ? std::max<std::int64_t>(found->get<std::int64_t>(), 0) : 0;
    };
    return {at("input"), at("cache_read"), at("cache_write"), at("output_visible") + at("output"), at("reasoning")};
}

} // namespace tilewright
