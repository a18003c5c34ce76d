// SPDX-License-Identifier: GPL-3.0-or-later
// "Found on this machine": what `tilewright-cli doctor` sees and what each absence costs, in its own words. The program
// runs beside the window and is never waited for. GUI thread.
#pragma once

#include "core/model/task/task.h"

#include <QFrame>
#include <QJsonObject>
#include <QString>
#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class MachineCard : public QFrame
{
    Q_OBJECT

public:
    explicit MachineCard(QWidget* parent = nullptr);
    /// Asks that program; its answer is shown when it comes.
    void search(const QString& program);
    /// The object that `doctor --json` prints.
    void show(const QJsonObject& report);
    /// What the chosen task runs on; by it the whole is judged.
    void setTarget(std::optional<Target> target);

    /// What is there and what is not needed as well.
    void showAll();

Q_SIGNALS:
    /// What was shown.
    void told(const QJsonObject& report);

private:
    void addFinding(const QJsonObject& finding, int row);
    void judge();
    void showQuiet();

    QJsonObject m_report;
    bool m_answered = false;
    std::optional<Target> m_target;
    QLabel* m_note;
    static constexpr int columns = 3;
    QGridLayout* m_findings;
    QPushButton* m_more;
    QList<QWidget*> m_quiet; ///< lines of what is there, or is not needed; shown where somebody wants to see them
};

// What `tilewright-cli doctor` found, in words for whoever has not met the tool's names before: what it is, and what it
// means to have it or not. Pure.

struct FindingWords {
    QString title; ///< "C++ compiler"
    QString meaning; ///< "builds candidates"
    QString term; ///< the doctor's own name and words, for a tooltip
};

/// finding: one of `doctor --json`. One that is not known is told in the doctor's own words.
FindingWords wordsOfFinding(const QJsonObject& finding);

} // namespace tilewright::ui
