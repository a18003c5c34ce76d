// SPDX-License-Identifier: GPL-3.0-or-later
// Who is on the way and what each waits for, as a table; a click selects the candidate. What a person ordered and can
// be taken back is, with the Delete key or the menu of its row; so is the check of a person's text cancelled. GUI
// thread.
#pragma once

#include "ui/devices/queue_model.h"
#include "ui/session/desk.h"

#include <QStackedWidget>
#include <functional>

class QLabel;

namespace tilewright::ui {

class Table;

class QueueTable : public QStackedWidget
{
    Q_OBJECT

public:
    /// `name` + "Table" and "Empty" are the names of its parts.
    QueueTable(const Desk& desk, const QString& name, QWidget* parent);
    void refresh();
    int count() const { return m_model.rowCount(); }
    int jobs() const; ///< those of them that do not wait for a person
    /// "2 under way · 1 waits for a build": how many are where, the farthest first.
    QString summary() const;

private:
    void takeBack();
    void openMenu(const QPoint& at);
    /// Takes back, or cancels, what stands in this row; null where there is nothing to do.
    std::function<void()> endingOf(const QModelIndex& index);

    Desk m_desk;
    QLabel* m_nothing;
    Table* m_table;
    QueueModel m_model;
};

} // namespace tilewright::ui
