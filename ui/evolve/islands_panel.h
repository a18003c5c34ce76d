// SPDX-License-Identifier: GPL-3.0-or-later
// The islands at the left: cards, or the same rows as a table (Ctrl+T). A click filters the other views. GUI thread.
#pragma once

#include "ui/models/island_model.h"
#include "ui/session/desk.h"

#include <QWidget>

class QListView;
class QStackedWidget;

namespace tilewright::ui {

class MigrationFooter;
class Table;

class IslandsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit IslandsPanel(const Desk& desk, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    /// "4 islands · 88 alive".
    QString summary() const;

private:
    void refresh();
    void filterBy(int row);

    Desk m_desk;
    IslandModel m_model;
    QStackedWidget* m_stack;
    QListView* m_list;
    Table* m_table;
    MigrationFooter* m_footer;
};

} // namespace tilewright::ui
