// SPDX-License-Identifier: GPL-3.0-or-later
// Findings come as they stand after "tilewright: " on a terminal; in the window they are sentences. Pure.
#pragma once

#include <QString>
#include <algorithm>

namespace tilewright::ui {

/// With a capital at its beginning, where that is a word: ids, file names and paths stay as they are ("c-0001",
/// "a.cpp").
inline QString asSentence(const QString& text)
{
    const QString first = text.section(u' ', 0, 0);
    const bool isWord = std::all_of(
        first.begin(), first.end(), [](QChar c) { return c.isLetter() || c == u',' || c == u':' || c == u'\''; });
    return isWord ? text.left(1).toUpper() + text.mid(1) : text;
}

/// What happened and what to do about it, as sentences that end: "M cannot be 0. The task takes 1 and more."
inline QString asSentences(const QString& text, const QString& hint)
{
    const auto ended = [](const QString& words) {
        const bool isEnded = words.isEmpty() || QStringLiteral(".!?…").contains(words.back());
        return isEnded ? asSentence(words) : asSentence(words) + u'.';
    };
    return hint.isEmpty() ? ended(text) : ended(text) + u' ' + ended(hint);
}

} // namespace tilewright::ui
