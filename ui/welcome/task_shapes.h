// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a new session: size, work, split. GUI thread.
#pragma once

#include "core/model/session_shapes.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class TaskShapes : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Shape, Work, Traffic, Split, Remove, Count };

    struct Row {
        Shape shape;
        double flops, bytes;
        bool isHeldout;
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// None without a task: train shapes first, then held-out ones.
    void showAnew(const Task* task, const SessionShapes& shapes);
    /// The same task with others: who was there keeps its row, who is new comes last.
    void change(const Task& task, const SessionShapes& shapes);
    /// As they stand.
    SessionShapes shapes() const;
    int rowOf(const Shape& shape) const; ///< −1: none
    const Row& row(int number) const { return m_rows[static_cast<std::size_t>(number)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Row> m_rows;
    QString m_dims;
};

} // namespace tilewright::ui
