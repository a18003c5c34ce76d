// SPDX-License-Identifier: GPL-3.0-or-later
// One line of text that ends with an ellipsis where room is short; the whole text is its tooltip then. GUI thread.
#pragma once

#include <QLabel>
#include <QString>
#include <QStringList>
#include <algorithm>

namespace tilewright::ui {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    /// The text, and shorter ones to be shown where it does not fit.
    void setForms(const QStringList& forms);
    /// What is seen of it.
    QString shown() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QStringList m_shorter;
};

// Findings come as they stand after "tilewright: " on a terminal; in the window they are sentences. Pure.

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
