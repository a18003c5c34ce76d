// SPDX-License-Identifier: GPL-3.0-or-later
// Reading JSON that a stranger wrote: a missing field, a null and a wrong type all read as "nothing", never as an
// exception. Pure.
#pragma once

#include "core/base/json_text.h"
#include "core/llm/tool_calls.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The member, or a null.
inline const nlohmann::json& memberOf(const nlohmann::json& json, std::string_view key)
{
    static const nlohmann::json nothing;
    if (!json.is_object())
        return nothing;
    const auto found = json.find(key);
    return found == json.end() ? nothing : *found;
}

/// The member, or an empty list if it is none.
inline const nlohmann::json& listAt(const nlohmann::json& json, std::string_view key)
{
    static const nlohmann::json empty = nlohmann::json::array();
    const nlohmann::json& member = memberOf(json, key);
    return member.is_array() ? member : empty;
}

/// The text, or "".
inline std::string textAt(const nlohmann::json& json, std::string_view key)
{
    const nlohmann::json& member = memberOf(json, key);
    return member.is_string() ? member.get<std::string>() : std::string();
}

/// A count that cannot be negative; 0 for everything that is none (Azure sends -1 for "unknown").
inline std::int64_t countAt(const nlohmann::json& json, std::string_view key)
{
    const nlohmann::json& member = memberOf(json, key);
    if (!member.is_number())
        return 0;
    const double value = member.get<double>();
    return value > 0 && value < 9e15 ? static_cast<std::int64_t>(value) : 0;
}

inline double numberAt(const nlohmann::json& json, std::string_view key, double otherwise = 0)
{
    const nlohmann::json& member = memberOf(json, key);
    return member.is_number() && std::isfinite(member.get<double>()) ? member.get<double>() : otherwise;
}

/// A JSON value of any bytes: what mendedJson() mends costs nothing; other syntax errors, and values nested too deeply,
/// give a discarded value.
inline nlohmann::json parsedOrDiscarded(std::string_view text)
{
    nlohmann::json json = parsedJson(text);
    if (json.is_discarded())
        json = parsedJson(mendedJson(text));
    return json;
}

/// The JSON values that the text begins with, one behind another, and what stands behind them: a text that is one value
/// gives just that.
struct JsonSequence {
    std::vector<nlohmann::json> values;
    std::string_view rest; ///< without blanks around it
};
JsonSequence jsonSequenceOf(std::string_view text);

/// The first of them, discarded if there is none.
nlohmann::json firstJsonOf(std::string_view text);

} // namespace tilewright
