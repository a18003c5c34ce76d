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

/// What another text must have to be such a program.
struct ProgramKind {
    Comments comments = Comments::Slashes;
    bool hasBodies = false; ///< functions or classes: braces, or def and class
};
ProgramKind kindOf(const std::vector<std::string_view>& program);
/// Has the text a function or a class?
bool hasBodies(const std::vector<std::string_view>& lines, Comments comments);

/// The lines with look-alikes as ASCII, but for what stands in strings and comments: that stays as it is. A typographic
/// quote opens a string that the next one of its kind closes; a line on which none does stays whole. A text with raw
/// strings stays whole.
std::vector<std::string> withPlainCode(const std::vector<std::string_view>& lines, Comments comments);

/// Whether some line has look-alikes outside strings and comments.
bool hasLookAlikesInCode(const std::vector<std::string_view>& lines, Comments comments);

} // namespace tilewright::patch
