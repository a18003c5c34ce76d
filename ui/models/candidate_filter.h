// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering of the candidate table: the typed query must hold, islands and stretch of the run are as the
// selection says. GUI thread. What comes or changes is put where it belongs, one by one; a new order of a long run is
// made on another thread, and the old rows stay until it is there. While a user points at a row, no row moves: what
// comes or changes then waits until it is let go.
#pragma once

#include "ui/models/candidate_model.h"
#include "ui/models/candidate_query.h"
#include "ui/models/run_axis.h"

#include <QAbstractProxyModel>
#include <QFutureWatcher>
#include <set>

namespace tilewright::ui {

// Which candidates a table shows, and in which order. Pure; on any thread. Rows are places in RunState::candidates.

struct CandidateOrder {
    CandidateQuery query;
    std::set<IslandId> islands; ///< empty: all
    std::optional<RunRange> range;
    std::optional<CandidateModel::Column> column; ///< none: as they came
    bool descending = false; ///< equal ones stand as they came all the same
    CandidateId reference = {}; ///< as CandidateModel::setReference()
    std::optional<std::set<CandidateId>> only = {}; ///< none: all
};

/// What one column says of a candidate, as it is compared: figures by `number`, words by `words`.
struct CandidateKey {
    double number = 0;
    QString words;
    bool isMissing = false; ///< it has no figure there: behind all that have one, whichever way they are sorted
};

/// One state of the run, looked at by one order. The run must outlive it.
class OrderedCandidates
{
public:
    OrderedCandidates(const RunState& run, const CandidateOrder& order);

    bool fits(int row) const;
    CandidateKey keyOf(int row) const;
    /// Whether the first stands above the second.
    bool isBefore(const CandidateKey& a, int rowA, const CandidateKey& b, int rowB) const;
    /// Of these rows those that fit, in their order.
    std::vector<int> sorted(const std::vector<int>& rows) const;
    /// Of the first `count` rows.
    std::vector<int> sorted(int count) const;

private:
    const RunState& m_run;
    const CandidateOrder& m_order;
    std::optional<RunPlaces> m_places; ///< on the range's axis, as long as there is a range
};

class CandidateFilter : public QAbstractProxyModel
{
    Q_OBJECT

public:
    explicit CandidateFilter(QObject* parent = nullptr);

    /// A CandidateModel.
    void setSourceModel(QAbstractItemModel* model) override;
    void setQuery(const CandidateQuery& query);
    void setIslands(const std::set<IslandId>& islands);
    void setRange(const std::optional<RunRange>& range);
    /// Shows none but these; none: all.
    void setOnly(const std::optional<std::set<CandidateId>>& only);
    /// The model has it too.
    void setReference(CandidateId reference);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    /// The rows of another order are still shown.
    bool isOrdering() const { return m_waits; }
    /// From now on rows stay where they are, though they show new figures. What a user orders anew is done all the
    /// same.
    void hold() { m_held = true; }
    /// What waited is put in its place.
    void letGo();
    /// Candidates that came meanwhile and are not shown for that reason.
    int heldBack() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QModelIndex mapToSource(const QModelIndex& index) const override;
    QModelIndex mapFromSource(const QModelIndex& index) const override;
    /// Where the candidate is shown; invalid where it is not.
    QModelIndex indexOf(CandidateId candidate) const;

Q_SIGNALS:
    /// Other rows than before are shown, or in another order.
    void reordered();
    /// heldBack() may be another one.
    void heldBackChanged();

private:
    struct Made {
        quint64 id = 0;
        std::vector<int> rows;
    };

    /// Those that are late, put in their places.
    void placeLate();
    /// All rows, by the order that is wanted now.
    void order();
    void take(const Made& made);
    /// Shows the new figures of those rows without moving one; they wait for their place.
    void keep(std::vector<int> rows);
    /// Puts those rows where they belong.
    void place(std::vector<int> rows);
    void insert(const std::vector<int>& rows, const std::vector<int>& places);
    void replace(std::vector<int> rows);
    void findPlaces();

    const CandidateModel* m_model = nullptr;
    CandidateOrder m_order;
    std::vector<int> m_rows; ///< of the model, as they are shown
    std::vector<int> m_places; ///< by row of the model: where it is shown; −1: it is not
    QFutureWatcher<Made> m_ordering;
    quint64 m_asked = 0;
    bool m_waits = false; ///< for the order asked for last
    bool m_held = false;
    std::set<int> m_late; ///< rows that came or changed since it was asked for, or while they are held
};

} // namespace tilewright::ui
