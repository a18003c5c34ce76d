// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/wrapped_lines.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

constexpr int fewestColumns = 8;

bool isBlank(QChar c) { return c == u' ' || c == u'\t'; }

/// Behind the character, which begins in that column.
int columnBehind(int column, QChar c)
{
    return c == u'\t' ? (column / CodeView::tabColumns + 1) * CodeView::tabColumns : column + 1;
}

int widthOf(const QString& text)
{
    int width = 0;
    for (const QChar c : text)
        width = columnBehind(width, c);
    return width;
}

/// Where the piece that begins at `from`, in that column, ends: behind the last blank or comma of its second half, else
/// where it is full.
int endOfPiece(const QString& text, int from, int column, int columns)
{
    const int length = static_cast<int>(text.size());
    int full = from;
    while (full < length && (column = columnBehind(column, text[full])) <= columns)
        ++full;
    if (full == length)
        return length;
    full = std::max(full, from + 1);
    for (int at = full; at > from && at >= from + (full - from) / 2; --at)
        if (isBlank(text[at - 1]) || text[at - 1] == u',')
            return at;
    return full;
}

/// What stands before the text in the next row: the line's own indent and two more, as far as there is room for it.
QString indentOf(const QString& text, int columns)
{
    const auto begin = std::ranges::find_if_not(text, isBlank);
    QString indent = text.left(begin - text.begin()) + QStringLiteral("  ");
    while (widthOf(indent) > columns / 2)
        indent.chop(1);
    return indent;
}

CodeLine pieceOf(const CodeLine& line, int from, int end, const QString& indent)
{
    CodeLine piece = line;
    piece.text = indent + line.text.mid(from, end - from);
    piece.from = from - static_cast<int>(indent.size());
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
    if (line.mark == CodeLine::Mark::Filler || widthOf(line.text) <= columns)
        return {line};
    std::vector<CodeLine> pieces;
    for (int from = 0; from < line.text.size();) {
        const QString indent = from == 0 ? QString() : indentOf(line.text, columns);
        const int end = endOfPiece(line.text, from, widthOf(indent), columns);
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
