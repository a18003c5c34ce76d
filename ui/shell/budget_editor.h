// SPDX-License-Identifier: GPL-3.0-or-later
// A small popup below the meters to change the budgets of the open run. GUI thread; closes itself.
#pragma once

#include "core/model/event.h"

#include <QFrame>

class QSpinBox;

namespace tilewright::ui {

class BudgetEditor : public QFrame
{
    Q_OBJECT

public:
    BudgetEditor(const Budget& budget, QWidget* parent);

Q_SIGNALS:
    void accepted(const tilewright::Budget& budget);

private:
    QSpinBox *m_evaluations, *m_minutes;
};

} // namespace tilewright::ui
