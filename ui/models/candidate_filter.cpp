// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_filter.h"

#include "ui/models/candidate_model.h"

namespace tilewright::ui {

CandidateFilter::CandidateFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(CandidateModel::SortRole);
}

void CandidateFilter::setQuery(const CandidateQuery& query)
{
    const bool same = query.terms == m_query.terms;
    m_query = query;
    if (!same)
        invalidateFilter();
}

void CandidateFilter::setIslands(const std::set<IslandId>& islands)
{
    if (islands == m_islands)
        return;
    m_islands = islands;
    invalidateFilter();
}

void CandidateFilter::setRange(const std::optional<RunRange>& range)
{
    if (range == m_range)
        return;
    m_range = range;
    m_places.reset();
    if (const auto* model = qobject_cast<const CandidateModel*>(sourceModel()); model && range)
        m_places.emplace(model->run(), range->axis);
    invalidateFilter();
}

void CandidateFilter::follow(const RunState& run)
{
    if (m_range)
        m_places.emplace(run, m_range->axis);
}

bool CandidateFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (m_query.empty() && m_islands.empty() && !m_range)
        return true;
    const auto* model = qobject_cast<const CandidateModel*>(sourceModel());
    if (!model)
        return true;
    const Candidate& candidate = model->at(row);
    if (m_range && m_places) {
        const double place = m_places->of(candidate);
        if (place < m_range->from || place > m_range->to)
            return false;
    }
    return (m_islands.empty() || m_islands.contains(candidate.island)) && m_query.accepts(model->run(), candidate);
}

} // namespace tilewright::ui
