// SPDX-License-Identifier: GPL-3.0-or-later
// How deep objects and lists of a JSON text stand within one another, without reading it as JSON. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace tilewright {

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

} // namespace tilewright
