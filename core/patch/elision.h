// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that stand for code which the model did not write: "...", "// ... existing code ...", "# rest unchanged". Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// A whole line that only says that something was left out.
bool isPlaceholder(std::string_view line);

/// What stands beside an added line.
struct Beside {
    std::string_view previous; ///< the new program's line before it that says something
    std::string_view next; ///< the added line behind it that says something; "" where the change ends
    bool removesCode = false; ///< the change takes code away; a lone "pass" or the head of a block is none
};

/// The same for a line that is to become program text: also a comment or "{ ... }" inside code. In Python a lone "..."
/// after a colon is a body, not a placeholder, unless it stands where code stood.
bool elidesCode(std::string_view line, const Beside& beside);
/// Would a removed line be missing where "..." comes instead?
bool saysCode(std::string_view line);

/// A sentence rather than code: words without the signs of code.
bool looksLikeProse(std::string_view line);
/// The same inside a hunk, where a line that lost its sign is more likely: it begins or ends as a sentence does.
bool looksLikeSentence(std::string_view line);

// Comments that stand for code: judged by their words. Pure.

/// How sure the words are: Perhaps stands for code only where no code follows the comment.
enum class Elides { No, Perhaps, Yes };

/// Lower case; letters, digits, '_' and apostrophes make a word.
std::vector<std::string> wordsOf(std::string_view text);
/// Is it made only of the words that placeholders are made of?
bool onlyPlaceholderWords(const std::vector<std::string>& words);
/// Does a phrase of them say that something was left out ("unchanged", "existing code")?
bool saysLeftOut(const std::vector<std::string>& words);
/// "..." somewhere.
bool hasDots(std::string_view text);

/// The text of a comment that has a line of its own, folded and without its signs.
Elides commentElides(std::string_view comment);
/// The text of a comment behind code, or inside it.
bool innerCommentElides(std::string_view comment);
/// "rest unchanged": what stands nowhere is said to be as it was, whatever code is beside it.
bool saysRestUnchanged(const std::vector<std::string>& words);

} // namespace tilewright::patch
