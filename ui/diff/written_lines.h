// SPDX-License-Identifier: GPL-3.0-or-later
// A text that a person writes beside the one it comes from: what each of its lines is, and which lines face each other.
// The written text has room in the place of filler lines, as it is edited. Pure; safe on any thread.
#pragma once

#include "ui/diff/side_by_side.h"
#include "ui/widgets/numbered_editor.h"

namespace tilewright::ui {

struct WrittenLines {
    std::vector<CodeLine> before; ///< rows, with filler lines beside new ones
    std::vector<EditedLine> after; ///< each line of the written text
    std::vector<int> rows; ///< of each line of the written text: the row that it stands in, 0-based
    std::vector<int> roomBelow; ///< of each line of the written text: rows that it has no line for
    std::vector<Fold> folds; ///< of lines of the written text
    /// Of each run of changed lines: where it begins in the written text, 0-based; where lines are gone there, the line
    /// behind them.
    std::vector<int> changes;
    int removed = 0, added = 0; ///< lines

    bool operator==(const WrittenLines&) const = default;
};

/// Rows to be left free below each row of both sides, so that what faces each other begins at one height though long
/// lines take several.
struct RoomBeside {
    std::vector<int> before, after;

    bool operator==(const RoomBeside&) const = default;
};

/// The heights of the rows on both sides, as FoldingEdit tells them.
RoomBeside roomBeside(const WrittenLines& lines, const std::vector<int>& before, const std::vector<int>& after);

WrittenLines writtenLines(
    const std::string& before, const std::string& after, Whitespace whitespace = Whitespace::Counts);

/// What the written side has in each row.
std::vector<CodeLine::Mark> writtenMarks(const WrittenLines& lines);

} // namespace tilewright::ui
