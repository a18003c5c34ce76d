// SPDX-License-Identifier: GPL-3.0-or-later
// What a user typed into the finder, understood: where is searched, and for what. Pure.
#pragma once

#include "core/base/ids.h"

#include <QMetaType>
#include <QRegularExpression>
#include <QString>
#include <atomic>
#include <vector>

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

// One row that the finder can show: what it is, where it leads, and which part of it matched. A value.

struct Found {
    /// In the order in which they are shown. NotNow: an action that is not possible; aside says why.
    enum class Kind { Action, Place, Candidate, Code, BuildLog, Event, NotNow };

    Kind kind = Kind::Action;
    QString text; ///< what is shown, in one line
    int start = 0, length = 0; ///< of what matched in it; nothing is emphasised where the length is 0
    QString aside; ///< at the right: keys, a score, "line 12"
    CandidateId candidate = {};
    IslandId island = {};
    int line = 0; ///< of its text, 1-based; of an event: its row in the log
    QString action = {}; ///< id of it
    std::size_t place = 0; ///< index among the places
    bool isMore = false; ///< it stands for further lines of the same text

    bool operator==(const Found&) const = default;
};

// The lines of a text on which a pattern matches. Pure; from any thread.

struct TextMatch {
    int line = 0; ///< 1-based
    QString text; ///< of the line, without blanks around it; of a long one, what is near the match
    int start = 0, length = 0; ///< of the first match in `text`

    bool operator==(const TextMatch&) const = default;
};

struct TextMatches {
    std::vector<TextMatch> first;
    int more = 0; ///< lines that match beyond the first
    int nextLine = 0; ///< where the next of them is
    int givenUp = 0; ///< lines on which the pattern took more steps than it may

    bool operator==(const TextMatches&) const = default;
};

/// The match at `start` with so much of the line around it as a row can show.
TextMatch excerpt(QStringView line, int number, qsizetype start, qsizetype length);

/// Line by line, so that ^ and $ are a line's begin and end. The first `most` are told; others are counted. Where it
/// is cancelled, what was found so far.
TextMatches matchesIn(
    const QString& text, const QRegularExpression& pattern, int most, const std::atomic<bool>& cancelled);

} // namespace tilewright::ui

Q_DECLARE_METATYPE(tilewright::ui::Found)
