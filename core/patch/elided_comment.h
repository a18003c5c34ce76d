// SPDX-License-Identifier: GPL-3.0-or-later
// Comments that stand for code: judged by their words. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

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
