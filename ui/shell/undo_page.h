// SPDX-License-Identifier: GPL-3.0-or-later
// The undo history as a page of its own, which can stay open: newest first, each with the reason where it cannot be
// undone now. The chosen entry stays chosen wherever it moves to. GUI thread.
#pragma once

#include "ui/session/paced.h"
#include "ui/shell/undo_controller.h"

#include <QAbstractTableModel>
#include <QDialog>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class Table;

class UndoModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Command, State, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<UndoController::Entry> rows);
    const UndoController::Entry* at(int row) const;
    /// −1: it is there no more.
    int rowOf(std::int64_t id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<UndoController::Entry> m_rows;
};

class UndoPage : public QDialog
{
    Q_OBJECT

public:
    UndoPage(const Desk& desk, UndoController& undo, QWidget* parent);

private:
    void refresh();
    void undo();
    void say();

    UndoController& m_undo;
    UndoModel m_model;
    Table* m_table;
    QLabel* m_why;
    QPushButton* m_button;
    UndoController::Entry m_chosen; ///< by the user; id 0: none, then the newest is
    bool m_isRefreshing = false;
    Paced m_follow{[this] { refresh(); }};
};

} // namespace tilewright::ui
