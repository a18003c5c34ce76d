// SPDX-License-Identifier: GPL-3.0-or-later
// Words of any length in a few lines: the beginning, and a button that shows all of them, to be scrolled where they are
// many. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class ShortenedText : public QWidget
{
    Q_OBJECT

public:
    /// `name`: of the words shown, as an object; the button is "nameMore", all the words are "nameWhole".
    explicit ShortenedText(const QString& name, QWidget* parent = nullptr);
    void setWords(const QString& words);
    QLabel& label() { return *m_beginning; }

private:
    void showWhole(bool on);

    QLabel* m_beginning;
    QPlainTextEdit* m_whole;
    QPushButton* m_more;
    QString m_words;
};

} // namespace tilewright::ui
