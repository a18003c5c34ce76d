// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/task_shapes.h"

#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void TaskShapes::show(const Task* task, const SessionShapes& shapes)
{
    QStringList names;
    if (task)
        for (const Dimension& dimension : task->dims)
            names << text(dimension.name);
    if (shapes == m_shapes && names.join(u'×') == m_dims)
        return;
    beginResetModel();
    m_rows.clear();
    m_shapes = shapes;
    m_dims = names.join(u'×');
    for (const auto* list : {&shapes.train, &shapes.heldout})
        for (const Shape& shape : *list)
            if (task)
                m_rows.push_back({shape, task->flopsOf(shape), task->bytesOf(shape), list == &shapes.heldout});
    endResetModel();
}

int TaskShapes::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TaskShapes::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant TaskShapes::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Work || column == Column::Traffic ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && column == Column::Split)
        return row.isHeldout ? tr("held-out") : tr("train");
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return text(shapeText(row.shape));
    case Column::Work:
        return u"%1"_s.arg(row.flops / 1e9, 0, 'f', 3);
    case Column::Traffic:
        return u"%1"_s.arg(row.bytes / 1048576.0, 0, 'f', 2);
    case Column::Split: // a switch stands there
    case Column::Remove:
    case Column::Count:
        break;
    }
    return {};
}

QVariant TaskShapes::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Work || column == Column::Traffic ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return m_dims.isEmpty() ? tr("Shape") : m_dims;
    case Column::Work:
        return tr("GFLOP");
    case Column::Traffic:
        return tr("MiB");
    case Column::Split:
        return tr("Split");
    case Column::Remove:
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
