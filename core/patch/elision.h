// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that stand for code which the model did not write: "...", "// ... existing code ...", "# rest unchanged". Pure.
#pragma once

#include <string_view>

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

} // namespace tilewright::patch
