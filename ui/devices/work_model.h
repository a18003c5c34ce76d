// SPDX-License-Identifier: GPL-3.0-or-later
// The table twin of the timeline: each piece of work and each call as a row, the newest first. What is under way stands
// above them. Grows with the run. GUI thread.
#pragma once

#include "ui/devices/work_lanes.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class WorkModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Lane, Work, Candidate, Start, Duration, Waited, Outcome, Count };
    static constexpr int IdRole = Qt::UserRole + 1; ///< of the candidate that the row is about

    using QAbstractTableModel::QAbstractTableModel;
    /// lanes must outlive the model, and be those of this snapshot.
    void show(const SnapshotPtr& snapshot, const WorkLanes& lanes);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::uint32_t lane = 0, span = 0;
    };
    struct Piece {
        const Lane* lane = nullptr;
        const LaneSpan* span = nullptr;
    };
    Piece at(int row) const;
    void collect();
    void showLive();

    SnapshotPtr m_snapshot;
    const WorkLanes* m_lanes = nullptr;
    std::vector<LiveSpan> m_live; ///< the rows above
    std::vector<Row> m_rows; ///< oldest first
    std::vector<std::size_t> m_seen; ///< spans of each lane that are among them
    int m_arrangement = 0;
};

} // namespace tilewright::ui
