// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence of a candidate as two tables: its checks, and its figures by shape. GUI thread.
#pragma once

#include "core/model/measurement/evidence.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class CheckModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Check, Measured, Limit, Verdict, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<CheckEvidence> checks);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<CheckEvidence> m_checks;
};

class ShapeIntervalModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Shape, Split, Baseline, Vendor, Samples, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<ShapeResult> shapes);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ShapeResult> m_shapes;
};

/// The lines above the tables: device, vendor library, largest error, what else was not checked.
QString evidenceSummary(const Evidence& evidence);

} // namespace tilewright::ui
