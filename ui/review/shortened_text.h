// SPDX-License-Identifier: GPL-3.0-or-later
// Words of any length in a few lines: the beginning, and all of it as the tooltip. GUI thread.
#pragma once

#include <QLabel>

namespace tilewright::ui {

class ShortenedLabel : public QLabel
{
public:
    explicit ShortenedLabel(QWidget* parent = nullptr)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
    }

    void setWords(const QString& words)
    {
        const bool isLong = words.size() > mostShown;
        setText(isLong ? beginning(words) : words);
        setToolTip(isLong ? words : QString());
    }

private:
    static constexpr qsizetype mostShown = 420; ///< characters

    /// In whole words.
    static QString beginning(const QString& words)
    {
        const QString head = words.left(mostShown);
        return head.left(std::max<qsizetype>(head.lastIndexOf(QLatin1Char(' ')), mostShown / 2)) + QChar(u'…');
    }
};

} // namespace tilewright::ui
