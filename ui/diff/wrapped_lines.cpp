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
    const bool isText = line.mark != CodeLine::Mark::Fold && line.mark != CodeLine::Mark::Filler;
    if (!isText || line.text.size() <= columns)
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

} // namespace

SideBySide wrapped(const SideBySide& lines, int columns)
{
    columns = std::max(columns, fewestColumns);
    SideBySide made;
    made.removed = lines.removed;
    made.added = lines.added;
    std::size_t change = 0;
    for (std::size_t row = 0; row < lines.left.size(); ++row) {
        if (change < lines.changes.size() && lines.changes[change] == static_cast<int>(row)) {
            made.changes.push_back(static_cast<int>(made.left.size()));
            ++change;
        }
        const CodeLine &left = lines.left[row], &right = lines.right[row];
        const std::vector<CodeLine> lefts = piecesOf(left, columns), rights = piecesOf(right, columns);
        for (std::size_t i = 0; i < std::max(lefts.size(), rights.size()); ++i) {
            made.left.push_back(i < lefts.size() ? lefts[i] : blankBelow(left));
            made.right.push_back(i < rights.size() ? rights[i] : blankBelow(right));
        }
    }
    return made;
}

std::vector<CodeLine> wrapped(const std::vector<CodeLine>& lines, int columns)
{
    columns = std::max(columns, fewestColumns);
    std::vector<CodeLine> made;
    for (const CodeLine& line : lines)
        std::ranges::move(piecesOf(line, columns), std::back_inserter(made));
    return made;
}

} // namespace tilewright::ui
