// SPDX-License-Identifier: GPL-3.0-or-later
// Why a session cannot be started, and beside it what mends that by one click; or what to know before it is started.
// Nothing is shown where nothing is wrong. GUI thread.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace tilewright::ui {

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
