// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering of the candidate table: the typed query must hold, islands and stretch of the run are as the
// selection says. GUI thread.
#pragma once

#include "ui/models/candidate_query.h"
#include "ui/models/run_axis.h"

#include <QSortFilterProxyModel>
#include <set>

namespace tilewright::ui {

class CandidateFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CandidateFilter(QObject* parent = nullptr);

    void setQuery(const CandidateQuery& query);
    void setIslands(const std::set<IslandId>& islands);
    void setRange(const std::optional<RunRange>& range);
    /// The run has changed: what places on its axis follow from is read anew.
    void follow(const RunState& run);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    CandidateQuery m_query;
    std::set<IslandId> m_islands;
    std::optional<RunRange> m_range;
    std::optional<RunPlaces> m_places; ///< on the range's axis, as long as there is a range
};

} // namespace tilewright::ui
