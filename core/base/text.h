// SPDX-License-Identifier: Apache-2.0
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
/// ASCII letters in the other case, whatever the locale: in Turkish, tolower('I') is no 'i'. Other bytes stay.
constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char uppered(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::string lowered(std::string_view text);
std::string uppered(std::string_view text);
/// CRLF and lone CR become LF.
std::string withUnixLineEnds(std::string_view text);
/// Length of the valid UTF-8 sequence at the start of bytes, of which there is at least one; 0 if there is none.
std::size_t sequenceLength(std::string_view bytes);
/// Every byte that is not part of valid UTF-8 becomes U+FFFD, control characters but tab and LF a blank.
std::string printable(std::string_view bytes);
/// Foreign words for one line of a message: printable, each run of blanks, line ends and control characters (C1 and
/// those that turn the text's direction too) as one blank, none at the ends. At most `most` bytes and the "…" in the
/// place of what is left out.
std::string oneLine(std::string_view bytes, std::size_t most);

// Words of a command that somebody may copy into a shell. Pure.

/// The word as a POSIX shell reads it back: itself where it has nothing special, else in single quotes.
std::string shellQuoted(std::string_view word);

} // namespace tilewright
