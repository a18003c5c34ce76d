// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/diff_lines.h"

#include "core/patch/diff.h"

#include <QCoreApplication>
#include <algorithm>

namespace tilewright::ui {
namespace {

constexpr std::size_t context = 3;
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

/// Marks the words that are not part of the longest common subsequence of both lines.
void markWords(CodeLine& removed, CodeLine& added)
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

QString unchangedLines(std::size_t count)
{
    return count == 1 ? QCoreApplication::translate("Diff", "1 unchanged line")
                      : QCoreApplication::translate("Diff", "%1 unchanged lines").arg(count);
}

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
            markWords(lines[at + i], lines[middle + i]);
        at = end;
    }
}

} // namespace

std::vector<CodeLine> diffToShow(const std::string& before, const std::string& after)
{
    const std::vector<DiffLine> all = diffLines(before, after);
    std::vector<bool> shown(all.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].change == LineChange::Same)
            continue;
        any = true;
        for (std::size_t near = i - std::min(i, context); near <= std::min(i + context, all.size() - 1); ++near)
            shown[near] = true;
    }
    if (!any)
        return {};
    std::vector<CodeLine> lines;
    for (std::size_t i = 0; i < all.size();) {
        if (!shown[i]) {
            std::size_t end = i;
            while (end < all.size() && !shown[end])
                ++end;
            lines.push_back({unchangedLines(end - i), 0, CodeLine::Mark::Fold, {}});
            i = end;
            continue;
        }
        const DiffLine& line = all[i++];
        const QString text = QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
        const bool removed = line.change == LineChange::Removed;
        lines.push_back({text, static_cast<int>(removed ? line.oldLine : line.newLine) + 1,
            removed                                ? CodeLine::Mark::Removed
                : line.change == LineChange::Added ? CodeLine::Mark::Added
                                                   : CodeLine::Mark::Plain,
            {}});
    }
    markRuns(lines);
    return lines;
}

} // namespace tilewright::ui
