// SPDX-License-Identifier: GPL-3.0-or-later
// The orders that can be taken back as a page of its own, which can stay open: newest first, each with the reason where
// it cannot be. While the pointer is on the rows they keep their places, so that a click hits what was read. GUI
// thread.
#pragma once

#include "ui/session/paced.h"
#include "ui/shell/take_back.h"

#include <QAbstractTableModel>
#include <QDialog>
#include <set>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class Table;

class TakeBackModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Order, State, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<TakeBack> rows);
    const std::vector<TakeBack>& rows() const { return m_rows; }
    const TakeBack* at(int row) const;
    /// −1: it is there no more.
    int rowOf(const QString& key) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<TakeBack> m_rows;
};

class TakeBackPage : public QDialog
{
    Q_OBJECT

public:
    /// take: takes that one back.
    TakeBackPage(const Desk& desk, SettingUndo& undo, std::function<void(const TakeBack&)> take, QWidget* parent);

private:
    void refresh();
    void takeBack();
    /// Those that are shown, in their places, as they are now; what came since is left off.
    std::vector<TakeBack> inPlace(const std::vector<TakeBack>& now) const;
    QString whyGone(const QString& key) const;
    void say();

    Desk m_desk;
    SettingUndo& m_undo;
    std::function<void(const TakeBack&)> m_take;
    TakeBackModel m_model;
    Table* m_table;
    QLabel *m_why, *m_news;
    QPushButton* m_back;
    std::set<QString> m_taken; ///< keys of those that were taken back here
    TakeBack m_chosen; ///< by a person; without a key: none, then the newest is
    bool m_isPointedAt = false; ///< a row
    bool m_isRefreshing = false;
    Paced m_follow{[this] { refresh(); }};
};

} // namespace tilewright::ui
