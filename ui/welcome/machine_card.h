// SPDX-License-Identifier: GPL-3.0-or-later
// "Found on this machine": what `tilewright-cli doctor` sees and what each absence costs, in its own words. The program
// runs beside the window and is never waited for. GUI thread.
#pragma once

#include <QFrame>
#include <QJsonObject>

class QGridLayout;
class QLabel;

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

Q_SIGNALS:
    /// What was shown.
    void told(const QJsonObject& report);

private:
    QJsonObject m_report;
    QLabel* m_note;
    QGridLayout* m_findings;
};

} // namespace tilewright::ui
