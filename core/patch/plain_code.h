// SPDX-License-Identifier: GPL-3.0-or-later
// Typographic quotes, dashes and blanks in code, where no compiler takes them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// How a language begins a comment: // and /*, or #.
enum class Comments { Slashes, Hash };

Comments commentsOf(const std::vector<std::string_view>& program);

/// The lines with look-alikes as ASCII, but for what stands in strings and comments: that stays as it is. A typographic
/// quote opens a string that the next one of its kind closes; a line on which none does stays whole. A text with raw
/// strings stays whole.
std::vector<std::string> withPlainCode(const std::vector<std::string_view>& lines, Comments comments);

/// Whether some line has look-alikes outside strings and comments.
bool hasLookAlikesInCode(const std::vector<std::string_view>& lines, Comments comments);

} // namespace tilewright::patch
