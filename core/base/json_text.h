// SPDX-License-Identifier: Apache-2.0
// JSON as text, both ways. The library's own dump() throws where a string is not UTF-8, and its parse() reads any
// depth, of which a copy then overflows the stack; tests/layers forbids both elsewhere.
#pragma once

#include "core/base/json_fields.h"

#include <cstddef>
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

// How deep objects and lists of a JSON text stand within one another, without reading it as JSON. Pure.

/// Calls `goesOn(at, depth)` behind each bracket that is not inside of a string, with the number of those still open,
/// until it returns false. A closing bracket that nothing opened leaves the depth at 0.
template <typename Visit> void eachJsonBracket(std::string_view text, Visit goesOn)
{
    std::size_t depth = 0;
    bool isInString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (isInString) {
            at += c == '\\' ? 1 : 0;
            isInString = c != '"';
            continue;
        }
        isInString = c == '"';
        const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        if (!opens && !closes)
            continue;
        depth = opens ? depth + 1 : depth - (depth > 0 ? 1 : 0);
        if (!goesOn(at, depth))
            return;
    }
}

// JSON that a user wrote, read strictly: a member that stands twice is a mistake, and a mistake has a line. Pure.

/// Thrown and caught inside one parse function only. The reason quotes nothing of the text: a pasted key could stand
/// there.
struct SyntaxError {
    std::size_t line = 1; ///< counts from 1
    std::string reason; ///< "unexpected end of input; expected '}'"
};

/// The value. Throws SyntaxError, and FieldError for a member that stands twice in one object.
JsonFields::Json parsedStrictly(std::string_view text);
/// The same, but members that stand twice go to `mistakes`; the last of them holds. Throws SyntaxError.
JsonFields::Json parsedStrictly(std::string_view text, std::vector<FieldError>& mistakes);

} // namespace tilewright
