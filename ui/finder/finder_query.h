// SPDX-License-Identifier: GPL-3.0-or-later
// What a person typed into the finder, understood: where is searched, and for what. Pure.
#pragma once

#include <QRegularExpression>
#include <QString>

namespace tilewright::ui {

/// Everything: plain words, anywhere. The others: a regular expression, in texts of the session alone.
enum class FinderScope { Everything, Texts, Code, Logs };

/// What the box begins with in this scope: "", "/", "code:", "log:".
QString prefixOf(FinderScope scope);

struct FinderQuery {
    FinderScope scope = FinderScope::Everything;
    QString wanted; ///< without the prefix
    QRegularExpression pattern; ///< what a line is searched for; invalid where there is a problem
    QString problem; ///< why nothing can be searched for, as a sentence; empty if all is well

    bool isRegular() const { return scope != FinderScope::Everything; }
    /// Too little would be found on every line.
    bool searchesTexts() const { return problem.isEmpty() && wanted.size() >= (isRegular() ? 1 : 2); }
    bool searchesCode() const { return searchesTexts() && scope != FinderScope::Logs; }
    bool searchesLogs() const { return searchesTexts() && scope != FinderScope::Code; }
};

FinderQuery readFinderQuery(const QString& typed);

/// What is typed, in another scope.
QString inScope(const QString& typed, FinderScope scope);

} // namespace tilewright::ui
