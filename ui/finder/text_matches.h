// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a text on which a pattern matches. Pure; from any thread.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <atomic>
#include <vector>

namespace tilewright::ui {

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
