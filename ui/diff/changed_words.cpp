// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/changed_words.h"

#include <QStringView>
#include <algorithm>

namespace tilewright::ui {
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

} // namespace tilewright::ui
