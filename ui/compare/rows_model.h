// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of words under headings: what a plot shows as a table, and the properties of programs. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace tilewright::ui {

class Table;

class RowsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `figures`: columns that are right aligned.
    void show(const QStringList& headings, const std::vector<int>& figures, const std::vector<QStringList>& rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headings;
    std::vector<int> m_figures;
    std::vector<QStringList> m_rows;
};

/// Gives each column the width that it needs, words up to a limit; after the model has changed.
void fitToRows(Table& table);

} // namespace tilewright::ui
