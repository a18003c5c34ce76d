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

bool CandidateFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (m_query.empty() && m_islands.empty())
        return true;
    const auto* model = qobject_cast<const CandidateModel*>(sourceModel());
    if (!model)
        return true;
    const Candidate& candidate = model->at(row);
    return (m_islands.empty() || m_islands.contains(candidate.island)) && m_query.accepts(model->run(), candidate);
}

} // namespace tilewright::ui
