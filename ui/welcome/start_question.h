// SPDX-License-Identifier: GPL-3.0-or-later
// A question that has to be answered before a session is started or opened, beside the button that does so, with the
// keyboard in it: Return presses what has the focus, Escape puts it away. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

class QHBoxLayout;

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

// Why a session cannot be started, and beside it what mends that by one click; or what to know before it is started.
// Nothing is shown where nothing is wrong. GUI thread.

/// What a button stands for, and its words.
using Remedies = std::vector<std::pair<QString, QString>>;

class ProblemLine : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemLine(QWidget* parent = nullptr);
    void tell(const QString& problem, const Remedies& remedies);
    /// It can be started; these words go with it.
    void warn(const QString& words);

Q_SIGNALS:
    void remedyWanted(const QString& remedy);

private:
    QHBoxLayout* m_row;
    QLabel* m_words;
    std::vector<QPushButton*> m_buttons;
    Remedies m_remedies; ///< of the buttons
};

} // namespace tilewright::ui
