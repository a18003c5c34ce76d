// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rows_model.h"

#include "ui/widgets/table.h"

#include <algorithm>

namespace tilewright::ui {

namespace {
constexpr double widestWords = 300, narrowest = 64;
constexpr const char* columnsKnown = "columnsKnown"; ///< how many the table was told of
} // namespace

void RowsModel::show(const QStringList& headings, const std::vector<int>& figures, const std::vector<QStringList>& rows)
{
    if (headings == m_headings && figures == m_figures && rows == m_rows)
        return;
    beginResetModel();
    m_headings = headings;
    m_figures = figures;
    m_rows = rows;
    endResetModel();
}

int RowsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const bool isFigure = std::ranges::find(m_figures, index.column()) != m_figures.end();
    if (role == Qt::TextAlignmentRole)
        return QVariant((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return m_rows[static_cast<std::size_t>(index.row())].value(index.column());
    return {};
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isFigure = std::ranges::find(m_figures, section) != m_figures.end();
    if (role == Qt::TextAlignmentRole)
        return QVariant((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(m_headings[section]) : QVariant();
}

void fitToRows(Table& table)
{
    const int count = table.model()->columnCount();
    if (table.property(columnsKnown).toInt() != count) {
        table.setProperty(columnsKnown, count);
        table.setColumns(std::vector<TableColumn>(static_cast<std::size_t>(count), TableColumn{narrowest}));
    }
    table.growColumns(widestWords);
}

} // namespace tilewright::ui
