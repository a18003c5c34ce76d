// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/finder_query.h"

#include <QCoreApplication>

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
        query.wanted = query.wanted.trimmed(); // "code: x" is how a person writes
    const QRegularExpression asWritten(query.wanted);
    if (!asWritten.isValid())
        query.problem = problemOfPattern(asWritten);
    query.pattern = QRegularExpression(limit + query.wanted);
    return query;
}

QString inScope(const QString& typed, FinderScope scope) { return prefixOf(scope) + readFinderQuery(typed).wanted; }

} // namespace tilewright::ui
