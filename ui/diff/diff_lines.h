// SPDX-License-Identifier: GPL-3.0-or-later
// A unified diff as lines to show: changed words marked, and which lines may be folded as they are far from a change.
// Pure; safe on any thread.
#pragma once

#include "ui/diff/aligned_texts.h"
#include "ui/widgets/code_view.h"

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

// What every form of a diff shows alike: changed words within a changed line, and what is folded. Pure.

inline constexpr int contextLines = 3; ///< unchanged ones shown around a change

/// Marks the words that are not part of the longest common subsequence of both lines; none where the lines share next
/// to nothing.
void markChangedWords(CodeLine& removed, CodeLine& added);

/// Of rows: the unchanged ones that are not beside a change. None where nothing is changed.
std::vector<Fold> foldsBetween(const std::vector<bool>& isChanged);

// Long lines of a diff in pieces, so that all of them can be read in a narrow column and both columns stay of equal
// height. Pure; safe on any thread.

/// `columns`: characters that a row has room for; at least 8 are taken.
SideBySide wrapped(const SideBySide& lines, int columns);
UnifiedDiff wrapped(const UnifiedDiff& diff, int columns);

} // namespace tilewright::ui
