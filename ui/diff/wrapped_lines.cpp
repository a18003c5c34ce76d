// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/wrapped_lines.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

constexpr int fewestColumns = 8;

/// Where the piece that begins at `from` ends: behind the last blank or comma of its second half, else where it is
/// full.
int endOfPiece(const QString& text, int from, int columns)
{
    const int length = static_cast<int>(text.size()), full = from + columns;
    if (full >= length)
        return length;
    for (int at = full; at >= from + columns / 2; --at)
        if (text[at - 1] == u' ' || text[at - 1] == u',')
            return at;
    return full;
}

/// What goes on in the next row stands a little further right than the line begins.
int indentOf(const QString& text, int columns)
{
    int blanks = 0;
    while (blanks < text.size() && text[blanks] == u' ')
        ++blanks;
    return std::min(blanks + 4, columns / 3);
}

CodeLine pieceOf(const CodeLine& line, int from, int end, int indent)
{
    CodeLine piece = line;
    piece.text = QString(indent, u' ') + line.text.mid(from, end - from);
    piece.from = from - indent;
    piece.words.clear();
    for (const auto& [start, length] : line.words) {
        const int first = std::max(start, from), last = std::min(start + length, end);
        if (first < last)
            piece.words.emplace_back(first - piece.from, last - first);
    }
    return piece;
}

std::vector<CodeLine> piecesOf(const CodeLine& line, int columns)
{
    if (line.mark == CodeLine::Mark::Filler || line.text.size() <= columns)
        return {line};
    std::vector<CodeLine> pieces;
    for (int from = 0; from < line.text.size();) {
        const int indent = from == 0 ? 0 : indentOf(line.text, columns);
        const int end = endOfPiece(line.text, from, columns - indent);
        pieces.push_back(pieceOf(line, from, end, indent));
        from = end;
    }
    return pieces;
}

/// Below the pieces of a line, where the line beside it has more of them.
CodeLine blankBelow(const CodeLine& line) { return {{}, 0, line.mark, {}, false, static_cast<int>(line.text.size())}; }

/// Folds of lines as folds of the rows that the lines were laid out in; `starts`: the first row of each line, and one
/// behind the last.
std::vector<Fold> inRows(std::vector<Fold> folds, const std::vector<int>& starts)
{
    for (Fold& fold : folds) {
        const auto first = static_cast<std::size_t>(fold.first), end = first + static_cast<std::size_t>(fold.rows);
        fold = {starts[first], starts[end] - starts[first], fold.lines};
    }
    return folds;
}

} // namespace

SideBySide wrapped(const SideBySide& lines, int columns)
{
    columns = std::max(columns, fewestColumns);
    SideBySide made;
    made.removed = lines.removed;
    made.added = lines.added;
    std::size_t change = 0;
    std::vector<int> starts;
    for (std::size_t row = 0; row < lines.left.size(); ++row) {
        if (change < lines.changes.size() && lines.changes[change] == static_cast<int>(row)) {
            made.changes.push_back(static_cast<int>(made.left.size()));
            ++change;
        }
        starts.push_back(static_cast<int>(made.left.size()));
        const CodeLine &left = lines.left[row], &right = lines.right[row];
        const std::vector<CodeLine> lefts = piecesOf(left, columns), rights = piecesOf(right, columns);
        for (std::size_t i = 0; i < std::max(lefts.size(), rights.size()); ++i) {
            made.left.push_back(i < lefts.size() ? lefts[i] : blankBelow(left));
            made.right.push_back(i < rights.size() ? rights[i] : blankBelow(right));
        }
    }
    starts.push_back(static_cast<int>(made.left.size()));
    made.folds = inRows(lines.folds, starts);
    return made;
}

UnifiedDiff wrapped(const UnifiedDiff& diff, int columns)
{
    columns = std::max(columns, fewestColumns);
    UnifiedDiff made;
    std::vector<int> starts;
    for (const CodeLine& line : diff.lines) {
        starts.push_back(static_cast<int>(made.lines.size()));
        std::ranges::move(piecesOf(line, columns), std::back_inserter(made.lines));
    }
    starts.push_back(static_cast<int>(made.lines.size()));
    made.folds = inRows(diff.folds, starts);
    return made;
}

} // namespace tilewright::ui
