// SPDX-License-Identifier: GPL-3.0-or-later
// Small pure text functions. Text is UTF-8 with LF line ends unless a function says otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Lines without their LF; a final LF makes no further empty line.
std::vector<std::string_view> splitLines(std::string_view text);
std::string_view trimmed(std::string_view text);
std::string_view trimmedRight(std::string_view text);
std::string joined(const std::vector<std::string>& parts, std::string_view separator);
/// "1 shape", "3 shapes".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);
/// CRLF and lone CR become LF.
std::string withUnixLineEnds(std::string_view text);
/// Every byte that is not part of valid UTF-8 becomes U+FFFD, control characters but tab and LF a blank.
std::string printable(std::string_view bytes);
/// The first line, counted from 1, with a byte that no text has: zero, or no valid UTF-8; 0 where all of it is text.
std::size_t garbledLine(std::string_view bytes);

} // namespace tilewright
