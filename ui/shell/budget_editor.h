// SPDX-License-Identifier: GPL-3.0-or-later
// A small popup below the meters to change the budgets of the open run; where one is used up it says so, offers more
// and runs on. GUI thread; closes itself.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/spent_budget.h"

#include <QFrame>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace tilewright::ui {

/// Which budget a run that is not running has used up, as a sentence; empty if it may go on.
QString usedUpBudget(const Snapshot& snapshot);

class BudgetEditor : public QFrame
{
    Q_OBJECT

public:
    BudgetEditor(const Snapshot& snapshot, QWidget* parent);
    /// The run goes on meanwhile: what is spent by now is what a limit is held against.
    void follow(const Snapshot& snapshot);

Q_SIGNALS:
    void accepted(const tilewright::Budget& budget, bool thenRun);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void accept();
    Budget typed() const;
    void showNote();

    QSpinBox *m_evaluations, *m_minutes;
    QDoubleSpinBox *m_tokens, *m_cost; ///< millions; US dollars
    QSpinBox* m_noGain;
    Budget m_held; ///< limits without a field here stay as they are
    Spent m_spent; ///< up to now
    QString m_unpriced; ///< why money cannot be limited; empty if it can
    QString m_usedUp; ///< of the budget that was held
    QLabel* m_note;
    QPushButton* m_apply;
    bool m_thenRun;
};

} // namespace tilewright::ui
