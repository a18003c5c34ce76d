// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that stand for code which the model did not write: "...", "// ... existing code ...", "# rest unchanged". Pure.
#pragma once

#include <string_view>

namespace tilewright::patch {

/// A whole line that only says that something was left out.
bool isPlaceholder(std::string_view line);

/// The same for a line that is to become program text: also a comment or "{ ... }" inside code. previous: the added
/// line before it; in Python a lone "..." after a colon is a body, not a placeholder.
bool elidesCode(std::string_view line, std::string_view previous);

/// A sentence rather than code: words without the signs of code.
bool looksLikeProse(std::string_view line);

} // namespace tilewright::patch
