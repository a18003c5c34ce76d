// SPDX-License-Identifier: GPL-3.0-or-later
// What counts as the same line: Unicode look-alikes, HTML escapes and blanks taken out. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::patch {

/// Typographic quotes, dashes, blanks and ellipses as ASCII; characters without width removed.
std::string folded(std::string_view text);

/// What follows the leading blanks, look-alikes of blanks among them.
std::string_view bodyOf(std::string_view text);

/// HTML escapes undone once (&lt; &gt; &amp; &quot; &apos; &nbsp; and numbers).
std::string unescaped(std::string_view text);
std::string withoutEscapes(std::string_view text);
/// The ASCII signs that HTML escapes stand for in it.
std::string escapedSigns(std::string_view text);

/// Blanks removed except inside quotes, where they part two words or would join two operators, and behind the name of a
/// macro without parameters.
std::string withoutBlanks(std::string_view text);

/// Which typographic characters stand for which text, seen in pairs of lines that are equal when folded.
class Foldings
{
public:
    /// False if a character stands for two different texts.
    bool learn(std::string_view written, std::string_view real);
    bool empty() const { return m_means.empty(); }
    /// The text with the characters that were seen to stand for something else replaced.
    std::string applied(std::string_view text) const;

private:
    bool note(std::string_view character, std::string_view meaning);
    std::map<std::string, std::string, std::less<>> m_means;
    std::map<std::string, bool, std::less<>> m_kept; ///< characters that stand for themselves
};

} // namespace tilewright::patch
