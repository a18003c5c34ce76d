// SPDX-License-Identifier: GPL-3.0-or-later
// All candidates of the run as a flat table over the snapshot. GUI thread. New candidates come as one insert a
// snapshot, changed ones as ranges; another session resets.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/parent_change.h"

#include <QAbstractTableModel>
#include <optional>

namespace tilewright::ui {

class CandidateModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column {
        Name,
        Island,
        Generation,
        Evaluation,
        State,
        Score,
        Vendor,
        Parent,
        Parents,
        Change,
        Marks,
        Count
    };
    enum Role { SortRole = Qt::UserRole, IdRole, IslandRole };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SnapshotPtr snapshot);
    /// Row of a candidate, -1 if there is none.
    int rowOf(CandidateId id) const;
    CandidateId idAt(int row) const;
    const Candidate& at(int row) const { return m_snapshot->run.candidates[static_cast<std::size_t>(row)]; }
    const RunState& run() const { return m_snapshot->run; }
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    /// Rows, but for what was taken back: only the record tells of that.
    int standing() const { return m_rows - m_undone; }
    /// Whom the change of speed is told against in place of each one's parent; none: the parent.
    void setReference(CandidateId reference);
    /// The change of speed that is told: against the reference, else the parent; of a copy none, it is its original's.
    static std::optional<ParentChange> changeOf(const RunState& run, const Candidate& candidate, CandidateId reference);
    /// What a column is sorted by: the raw figure, or the words that are shown; invalid where
    /// there is no figure. On any thread.
    static QVariant sortKey(const RunState& run, const Candidate& candidate, Column column, CandidateId reference = {});

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static QVariant display(const RunState& run, const Candidate& candidate, Column column, CandidateId reference);

    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    int m_rows = 0;
    int m_undone = 0; ///< of them
    CandidateId m_reference;
    QString m_vendorHeading; ///< as the views know it
};

/// "× OpenBLAS": the library of the best's figures; "× vendor" before any is known.
QString vendorHeading(const RunState& run);
/// The parts of changeWords().
QStringList changeParts(const RunState& run, const Candidate& candidate);
/// What the last edit did: its new moves, changed tunables, or where it came from.
QString changeWords(const RunState& run, const Candidate& candidate);

} // namespace tilewright::ui
