// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_lines.h"

#include <QStringView>
#include <algorithm>

namespace tilewright::ui {
namespace {

/// Pairs the n-th removed line of a change with its n-th added one.
void markRuns(std::vector<CodeLine>& lines)
{
    using Mark = CodeLine::Mark;
    for (std::size_t at = 0; at < lines.size();) {
        if (lines[at].mark != Mark::Removed) {
            ++at;
            continue;
        }
        std::size_t middle = at, end;
        while (middle < lines.size() && lines[middle].mark == Mark::Removed)
            ++middle;
        end = middle;
        while (end < lines.size() && lines[end].mark == Mark::Added)
            ++end;
        for (std::size_t i = 0; at + i < middle && middle + i < end; ++i)
            markChangedWords(lines[at + i], lines[middle + i]);
        at = end;
    }
}

} // namespace

UnifiedDiff unifiedDiff(const std::string& before, const std::string& after, Whitespace whitespace)
{
    return unifiedDiff(AlignedTexts(before, after, whitespace));
}

UnifiedDiff unifiedDiff(const AlignedTexts& texts)
{
    using Mark = CodeLine::Mark;
    UnifiedDiff made;
    std::vector<bool> isChanged;
    for (const DiffLine& line : texts.lines()) {
        isChanged.push_back(line.change != LineChange::Same);
        made.lines.push_back(line.change == LineChange::Removed
                ? texts.before(line, Mark::Removed)
                : texts.after(line, line.change == LineChange::Added ? Mark::Added : Mark::Plain));
    }
    if (std::ranges::find(isChanged, true) == isChanged.end())
        return {};
    markRuns(made.lines);
    made.folds = foldsBetween(isChanged);
    return made;
}

namespace {

constexpr std::size_t mostWords = 400; ///< longer lines are marked as a whole

struct Word {
    int start = 0;
    QStringView text;
};

std::vector<Word> wordsOf(const QString& line)
{
    std::vector<Word> words;
    int at = 0;
    const int length = static_cast<int>(line.size());
    const auto joins = [](QChar c) { return c.isLetterOrNumber() || c == u'_'; };
    while (at < length) {
        int end = at + 1;
        if (joins(line[at]))
            while (end < length && joins(line[end]))
                ++end;
        else if (line[at].isSpace())
            while (end < length && line[end].isSpace())
                ++end;
        words.push_back({at, QStringView(line).mid(at, end - at)});
        at = end;
    }
    return words;
}

void addMark(std::vector<std::pair<int, int>>& marks, const Word& word)
{
    const int length = static_cast<int>(word.text.size());
    if (!marks.empty() && marks.back().first + marks.back().second == word.start)
        marks.back().second += length;
    else
        marks.emplace_back(word.start, length);
}

} // namespace

void markChangedWords(CodeLine& removed, CodeLine& added)
{
    const std::vector<Word> a = wordsOf(removed.text), b = wordsOf(added.text);
    if (a.size() > mostWords || b.size() > mostWords)
        return;
    std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i][j]
                = a[i].text == b[j].text ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (i < a.size() && j < b.size() && a[i].text == b[j].text) {
            ++i, ++j;
        } else if (j >= b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
            addMark(removed.words, a[i++]);
        } else {
            addMark(added.words, b[j++]);
        }
    }
    // Lines that share next to nothing are no edit of each other: marks on all of it say nothing.
    const auto marked = [](const CodeLine& line) {
        int sum = 0;
        for (const auto& [start, length] : line.words)
            sum += length;
        return sum;
    };
    if (marked(removed) * 10 > removed.text.size() * 8 && marked(added) * 10 > added.text.size() * 8)
        removed.words.clear(), added.words.clear();
}

std::vector<Fold> foldsBetween(const std::vector<bool>& isChanged)
{
    std::vector<Fold> folds;
    const int size = static_cast<int>(isChanged.size());
    for (int at = 0; at < size;) {
        if (isChanged[static_cast<std::size_t>(at)]) {
            ++at;
            continue;
        }
        int end = at;
        while (end < size && !isChanged[static_cast<std::size_t>(end)])
            ++end;
        const int head = at == 0 ? 0 : contextLines, tail = end == size ? 0 : contextLines;
        const int hidden = end - at - head - tail;
        if (hidden > 1 && hidden < size)
            folds.push_back({at + head, hidden, hidden});
        at = end;
    }
    return folds;
}

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
