// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a reply, without what the model thinks aloud. Which marks there are: core/base/reply_marks. Pure.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace tilewright::patch {

/// Why a reply has no answer that can be told from its thoughts. Unended: it ends inside a thought. Several: it holds
/// several answers that differ. UnknownMark: see unknown_thoughts.h.
enum class ThoughtTrouble { Unended, Several, UnknownMark };

/// The text without thoughts, rules in this order:
///  - A mark in quotes, in a fence that ends, in a SEARCH/REPLACE block or in a hunk whose counts claim it is text.
///  - From an opening mark to its closing one is thought; without a closing one all behind it is: Unended.
///  - What stands before a closing mark without an opening one is thought: the server put the opening into the prompt.
///  - Where a channel or a mark of the answer says what is answer, only that is. Two that differ: Several.
std::expected<std::string, ThoughtTrouble> withoutThoughts(std::string_view text);

} // namespace tilewright::patch
