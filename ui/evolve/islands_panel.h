// SPDX-License-Identifier: GPL-3.0-or-later
// The islands at the left: cards, or the same rows as a table (Ctrl+T). A click filters the other views;
// menu key, right button or double click steer. GUI thread.
#pragma once

#include "ui/models/island_model.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QAbstractItemView;
class QLabel;
class QListView;
class QStackedWidget;
class QToolButton;

namespace tilewright::ui {

class IslandActions;
class MigrationFooter;
class Table;

class IslandsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit IslandsPanel(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    /// "4 · population 88".
    /// How many there are and live on them, and what is said of it where that is too long.
    QStringList summary() const;
    /// Orders to all islands, for the dock's title.
    QToolButton* menuButton() { return m_menuButton; }
    IslandActions& actions() { return *m_actions; }

private:
    void refresh();
    void filterBy(int row);
    /// The row of the island that the other views are filtered by.
    void markShown();
    void openMenu(QAbstractItemView& view, const QPoint& at);

    ViewContext m_context;
    IslandModel m_model;
    QStackedWidget* m_stack;
    QListView* m_list;
    Table* m_table;
    QLabel* m_none; ///< said while there is no island
    bool m_isTable = false;
    MigrationFooter* m_footer;
    IslandActions* m_actions;
    QToolButton* m_menuButton;
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
};

} // namespace tilewright::ui
