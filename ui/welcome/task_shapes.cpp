// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/task_shapes.h"

#include "ui/models/format.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double leastShown = 5e5; ///< operations that three digits of GFLOP still tell

std::vector<TaskShapes::Row> rowsOf(const Task& task, const SessionShapes& shapes)
{
    std::vector<TaskShapes::Row> rows;
    for (const auto* list : {&shapes.train, &shapes.heldout})
        for (const Shape& shape : *list)
            rows.push_back({shape, task.flopsOf(shape), task.bytesOf(shape), list == &shapes.heldout});
    return rows;
}

const TaskShapes::Row* rowIn(const std::vector<TaskShapes::Row>& rows, const Shape& shape)
{
    const auto found = std::ranges::find(rows, shape, &TaskShapes::Row::shape);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

void TaskShapes::showAnew(const Task* task, const SessionShapes& shapes)
{
    QStringList names;
    if (task)
        for (const Dimension& dimension : task->dims)
            names << text(dimension.name);
    beginResetModel();
    m_dims = names.join(u'×');
    m_rows = task ? rowsOf(*task, shapes) : std::vector<Row>();
    endResetModel();
}

void TaskShapes::change(const Task& task, const SessionShapes& shapes)
{
    const std::vector<Row> wanted = rowsOf(task, shapes);
    for (int row = rowCount() - 1; row >= 0; --row) {
        const Row* same = rowIn(wanted, m_rows[static_cast<std::size_t>(row)].shape);
        if (same) {
            m_rows[static_cast<std::size_t>(row)] = *same;
            continue;
        }
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    for (const Row& each : wanted) {
        if (rowIn(m_rows, each.shape))
            continue;
        beginInsertRows({}, rowCount(), rowCount());
        m_rows.push_back(each);
        endInsertRows();
    }
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

SessionShapes TaskShapes::shapes() const
{
    SessionShapes shapes;
    for (const Row& row : m_rows)
        (row.isHeldout ? shapes.heldout : shapes.train).push_back(row.shape);
    return shapes;
}

int TaskShapes::rowOf(const Shape& shape) const
{
    const Row* found = rowIn(m_rows, shape);
    return found ? static_cast<int>(found - m_rows.data()) : -1;
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
        return row.flops < leastShown ? u"< 0.001"_s : u"%1"_s.arg(row.flops / 1e9, 0, 'f', 3);
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
