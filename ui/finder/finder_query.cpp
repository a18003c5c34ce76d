// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/finder_query.h"

#include <QCoreApplication>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Steps that a match may take on one line: a pattern with a choice within a choice would try all of them for ever.
const QString limit = u"(*LIMIT_MATCH=100000)"_s;

constexpr FinderScope regularScopes[]{FinderScope::Texts, FinderScope::Code, FinderScope::Logs};

QString said(const char* words) { return QCoreApplication::translate("tilewright::ui::Finder", words); }

QString problemOfPattern(const QRegularExpression& pattern)
{
    const qsizetype at = pattern.patternErrorOffset();
    const QString reason = pattern.errorString();
    return at >= pattern.pattern().size()
        ? said("The pattern cannot be read to its end: %1. A \\ before a sign takes it as it is.").arg(reason)
        : said("The pattern cannot be read at character %1, “%2”: %3. A \\ before a sign takes it as it is.")
              .arg(at + 1)
              .arg(pattern.pattern().mid(at, 8), reason);
}

} // namespace

QString prefixOf(FinderScope scope)
{
    switch (scope) {
    case FinderScope::Everything:
        return {};
    case FinderScope::Texts:
        return u"/"_s;
    case FinderScope::Code:
        return u"code:"_s;
    case FinderScope::Logs:
        return u"log:"_s;
    }
    return {};
}

FinderQuery readFinderQuery(const QString& typed)
{
    FinderQuery query;
    const QString words = typed.trimmed();
    for (const FinderScope scope : regularScopes)
        if (words.startsWith(prefixOf(scope), Qt::CaseInsensitive))
            query.scope = scope;
    query.wanted = words.mid(prefixOf(query.scope).size());
    if (!query.isRegular()) {
        query.pattern
            = QRegularExpression(QRegularExpression::escape(query.wanted), QRegularExpression::CaseInsensitiveOption);
        return query;
    }
    if (query.scope != FinderScope::Texts)
        query.wanted = query.wanted.trimmed(); // "code: x" is how a user writes
    const QRegularExpression asWritten(query.wanted);
    if (!asWritten.isValid())
        query.problem = problemOfPattern(asWritten);
    query.pattern = QRegularExpression(limit + query.wanted);
    return query;
}

QString inScope(const QString& typed, FinderScope scope) { return prefixOf(scope) + readFinderQuery(typed).wanted; }

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
