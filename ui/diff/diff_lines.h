// SPDX-License-Identifier: GPL-3.0-or-later
// A unified diff as lines to show: changed words marked, and which lines may be folded as they are far from a change.
// Pure; safe on any thread.
#pragma once

#include "ui/diff/aligned_texts.h"

#include <string>
#include <vector>

namespace tilewright::ui {

struct UnifiedDiff {
    std::vector<CodeLine> lines; ///< none when the texts are equal
    std::vector<Fold> folds; ///< of lines
};

/// Lines that did not change, or in blanks alone where those do not count, are those of the text after.
UnifiedDiff unifiedDiff(const AlignedTexts& texts);
UnifiedDiff unifiedDiff(
    const std::string& before, const std::string& after, Whitespace whitespace = Whitespace::Counts);

} // namespace tilewright::ui
