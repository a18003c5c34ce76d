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
    /// None without a task. Nothing is reset where it shows that already.
    void show(const Task* task, const SessionShapes& shapes);
    const Row& row(int number) const { return m_rows[static_cast<std::size_t>(number)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Row> m_rows;
    SessionShapes m_shapes;
    QString m_dims;
};

} // namespace tilewright::ui
