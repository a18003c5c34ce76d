// SPDX-License-Identifier: GPL-3.0-or-later
// The islands as a table, but for those whose making was taken back; the list paints column 0 with a delegate of its
// own, the table twin shows all. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>
#include <map>

namespace tilewright::ui {

/// "paused", "merged into B", "ended"; empty for an island that takes its turns.
QString standingWords(const Island& island);

class IslandModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// What is compared first stands first: a narrow pane shows no more.
    enum class Column {
        Name,
        Score,
        Best,
        Population,
        Cells,
        Focus,
        Admissions,
        LastMigration,
        Strategy,
        Proposers,
        Count
    };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SnapshotPtr snapshot);
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Island& at(int row) const { return m_snapshot->run.islands[m_shown[static_cast<std::size_t>(row)]]; }
    /// Who offered how many of an island's proposals, the seed and what was withdrawn left aside; by name.
    const std::map<std::string, std::int64_t>& offered(int row) const
    {
        return m_offered[m_shown[static_cast<std::size_t>(row)]];
    }
    /// Models that hold the island up: "writer: 3 failures, waiting 8 s"; empty if none does.
    QString troubleOf(int row) const;
    /// "blocked: 8 pending reviews", and asks for no more until then; empty if it does not.
    QString waitOf(int row) const;
    QString standingOf(int row) const { return standingWords(at(row)); }
    /// What it is asked for, in a word or two: its own focus, "only tune", "own mix".
    QString aimOf(int row) const;
    /// How a user steers it, in words; empty where all is left to the strategy.
    QString steeringOf(int row) const;
    /// Which member scored above the best that is shown, and was not proven to be.
    QString provisionalOf(const Island& island) const;
    /// Who is asked by the island's own weights, else who offered how much so far; by name.
    std::map<std::string, double> mix(int row) const;
    /// "mutator 64 %, tuner 36 %"; a dash for nothing.
    QString mixWords(int row) const;
    QStringList mixParts(int row) const; ///< the same, one by one
    /// Cells of an island's niche grid, 0 while the task is unknown.
    int cellCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static QVariant tipOf(Column column);
    void countProposals(bool anew);

    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    std::vector<std::map<std::string, std::int64_t>> m_offered; ///< by island
    std::ptrdiff_t m_unmade = 0; ///< islands that were taken back, with proposals for them
    std::size_t m_counted = 0; ///< proposals that were looked at for it
    std::vector<ProposalId> m_written; ///< of those that are in it: a user's, who may withdraw them
    std::vector<std::size_t> m_shown; ///< index of the island in each row
};

} // namespace tilewright::ui
