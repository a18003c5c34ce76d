// SPDX-License-Identifier: Apache-2.0
// A C++ text split into what is code and what is comment, line by line. Knows strings, characters, raw strings and
// line continuations; nothing else of the language. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct ScannedLine {
    std::string code; ///< with comments taken out
    std::string comment; ///< text of a // comment on this line, without the slashes; "" if none
};

std::vector<ScannedLine> scanLines(std::string_view text);

/// The text, as long and with the same lines, in which each raw string is an empty string and blanks.
std::string withoutRawStrings(std::string_view text);

} // namespace tilewright
