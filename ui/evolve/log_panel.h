// SPDX-License-Identifier: GPL-3.0-or-later
// The event log. It follows the newest line while the person is at the end of it. GUI thread.
#pragma once

#include "ui/models/log_model.h"
#include "ui/session/desk.h"
#include "ui/session/paced.h"

#include <QWidget>

namespace tilewright::ui {

class Table;

class LogPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LogPanel(const Desk& desk, QWidget* parent = nullptr);
    /// Chooses a row, from 0, and puts it in the middle of what is seen.
    void goTo(int row);

private:
    void refresh();

    Desk m_desk;
    LogModel m_model;
    Table* m_table;
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
};

} // namespace tilewright::ui
