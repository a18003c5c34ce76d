// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as text, both ways. The library's own dump() throws where a string is not UTF-8, and its parse() reads any
// depth, of which a copy then overflows the stack; tests/layers forbids both elsewhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tilewright {

/// The text of a JSON value; bytes that are not UTF-8 become U+FFFD.
template <typename Json> std::string dumped(const Json& json, int indent = -1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// How many objects and lists may stand within one another in JSON that is read.
inline constexpr std::size_t deepestJson = 500;

/// Whether objects and lists stand within one another more than deepestJson times. Quick: one pass over the bytes.
bool isNestedTooDeeply(std::string_view text);

/// The value; a discarded one where the text is no JSON or is nested too deeply. Never throws.
template <typename Json = nlohmann::json> Json parsedJson(std::string_view text)
{
    if (isNestedTooDeeply(text))
        return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

} // namespace tilewright
