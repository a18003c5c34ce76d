// SPDX-License-Identifier: GPL-3.0-or-later
// The held niches of one island as a table. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/niches/niche_chart.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class NicheModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Across, Up, Best, Score, Author, Evaluation, Count };
    enum Role { IdRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SnapshotPtr snapshot, const NicheChart& chart);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    NicheChart m_chart;
};

/// Who offered the candidate: "mutator", "writer", …; "seed" for the seed, "migrated from B" for a migrant.
QString offeredBy(const RunState& run, const Candidate& candidate);

} // namespace tilewright::ui
