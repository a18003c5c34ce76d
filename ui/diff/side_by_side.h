// SPDX-License-Identifier: GPL-3.0-or-later
// Two texts as two columns of equal height: changed lines face each other, filler lines where one side has none, and
// which rows may be folded as they are far from a change. Pure; safe on any thread.
#pragma once

#include "ui/diff/aligned_texts.h"

#include <string>
#include <vector>

namespace tilewright::ui {

struct SideBySide {
    std::vector<CodeLine> left, right; ///< of equal size
    std::vector<Fold> folds; ///< of rows
    std::vector<int> changes; ///< first row of each run of changed lines
    int removed = 0, added = 0; ///< lines

    bool operator==(const SideBySide&) const = default;
};

SideBySide sideBySide(const AlignedTexts& texts);
SideBySide sideBySide(const std::string& before, const std::string& after, Whitespace whitespace);

} // namespace tilewright::ui
