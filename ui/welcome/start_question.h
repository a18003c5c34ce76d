// SPDX-License-Identifier: GPL-3.0-or-later
// A question that has to be answered before a session is started or opened, beside the button that does so, with the
// keyboard in it: Return presses what has the focus, Escape puts it away. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class StartQuestion : public QWidget
{
    Q_OBJECT

public:
    /// Across a page, or in a narrow column. Its parts have names that begin with this one.
    enum class Form { Row, Column };
    StartQuestion(const QString& name, Form form, QWidget* parent = nullptr);
    /// Takes the place of one that was asked before. `agree`: the words of the button that does it.
    void ask(const QString& question, const QString& agree, std::function<void()> does);
    /// Unanswered.
    void putAway();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void answer();

    QLabel* m_words;
    QPushButton *m_agree, *m_leave;
    std::function<void()> m_does;
    QPointer<QWidget> m_before; ///< where the keyboard goes back to
};

} // namespace tilewright::ui
