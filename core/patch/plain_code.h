// SPDX-License-Identifier: GPL-3.0-or-later
// Typographic quotes, dashes and blanks in code, where no compiler takes them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// A character of a name: letters and digits of ASCII, and _.
bool beginsWord(char c);
bool isWordCharacter(char c);

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

/// What is open at the beginning of a line.
struct LexicalState {
    bool inComment = false; ///< a /*
    char triple = 0; ///< the quote of a Python string in three of them
    std::string rawEnd; ///< what ends the raw string of C++

    bool operator==(const LexicalState&) const = default;
};

/// The state at the beginning of each line.
std::vector<LexicalState> statesOf(const std::vector<std::string_view>& lines, Comments comments);

/// What stands outside strings and comments, line by line.
std::vector<std::string> codeIn(
    const std::vector<std::string_view>& lines, Comments comments, const LexicalState& state = {});

/// The lines with look-alikes as ASCII, but for what stands in strings and comments: that stays as it is. A typographic
/// quote opens a string that the next one of its kind closes; a line on which none does stays whole.
std::vector<std::string> withPlainCode(
    const std::vector<std::string_view>& lines, Comments comments, const LexicalState& state = {});

/// The line with look-alikes as ASCII, also in its comments, but for quotes that stand in strings: those are content.
/// A quote that nothing closes on the line opens no string.
std::string foldedCode(std::string_view line, Comments comments);

/// A line without its comments, told by this line alone: what stands inside a /* of an earlier line counts as code. A
/// line of nothing but a comment becomes the sign that begins it ("//", "/*", "#"). What is read out of comments
/// (tune:, require:, the markers) stays.
std::string codeBeforeComment(std::string_view line, Comments comments);

/// Whether some line has look-alikes outside strings and comments.
bool hasLookAlikesInCode(const std::vector<std::string_view>& lines, Comments comments);

} // namespace tilewright::patch
