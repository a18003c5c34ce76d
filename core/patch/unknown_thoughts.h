// SPDX-License-Identifier: GPL-3.0-or-later
// Thoughts in marks that nobody knows: a tag of any name, a comment, a heading that parts one edit from another. Which
// of the edits is the answer cannot be told, so neither is applied. Pure.
#pragma once

#include <string_view>

namespace tilewright::patch {

/// Whether edits stand both inside and outside of something that may mark a thought: a pair of tags at the start of
/// lines ("<musings>" … "</musings>", "[note]" … "[/note]"), what stands before a closing tag that nothing opened, an
/// HTML comment, or a heading as "### Analysis" before one as "### Final answer". Tags that hold answers (diff, file,
/// answer, …) part nothing; marks in fences and in lines of a diff are text.
bool partsEditsByUnknownMark(std::string_view text);

} // namespace tilewright::patch
