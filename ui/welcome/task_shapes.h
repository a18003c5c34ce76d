// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of the chosen task: size, work, split. GUI thread.
#pragma once

#include "core/model/task.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class TaskShapes : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Shape, Work, Traffic, Split, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(const Task* task);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Shape shape;
        double flops, bytes;
        ShapeSplit split;
    };
    std::vector<Row> m_rows;
    QString m_dims;
};

} // namespace tilewright::ui
