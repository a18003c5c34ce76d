// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/text_matches.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

TextMatch excerpt(QStringView line, int number, qsizetype start, qsizetype length)
{
    constexpr qsizetype before = 60, longest = 400;
    qsizetype from = 0, to = line.size();
    while (from < start && line[from].isSpace())
        ++from;
    while (to > start + length && line[to - 1].isSpace())
        --to;
    QString lead;
    if (to - from > longest) {
        if (start - from > before) {
            from = start - before;
            lead = u"…"_s;
        }
        to = std::min(to, from + longest);
    }
    TextMatch match;
    match.line = number;
    match.text = lead + line.sliced(from, to - from).toString();
    match.text.replace(u'\t', u' ');
    match.start = static_cast<int>(start - from + lead.size());
    match.length = static_cast<int>(std::min(length, match.text.size() - match.start));
    return match;
}

TextMatches matchesIn(
    const QString& text, const QRegularExpression& pattern, int most, const std::atomic<bool>& cancelled)
{
    TextMatches found;
    const QStringView whole(text);
    int number = 0;
    for (qsizetype begin = 0; begin < whole.size() && !cancelled;) {
        qsizetype end = whole.indexOf(u'\n', begin);
        if (end < 0)
            end = whole.size();
        QStringView line = whole.sliced(begin, end - begin);
        if (line.endsWith(u'\r'))
            line.chop(1);
        ++number;
        begin = end + 1;
        const QRegularExpressionMatch match = pattern.match(line);
        found.givenUp += match.isValid() ? 0 : 1;
        if (!match.hasMatch())
            continue;
        if (std::ssize(found.first) < most)
            found.first.push_back(excerpt(line, number, match.capturedStart(), match.capturedLength()));
        else if (found.more++ == 0)
            found.nextLine = number;
    }
    return found;
}

} // namespace tilewright::ui
