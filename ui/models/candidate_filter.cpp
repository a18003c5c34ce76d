// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_filter.h"

#include "ui/models/candidate_model.h"

namespace tilewright::ui {

CandidateFilter::CandidateFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(CandidateModel::SortRole);
}

void CandidateFilter::setWords(const QString& typed)
{
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words == m_words)
        return;
    m_words = words;
    invalidateFilter();
}

void CandidateFilter::setIslands(const std::set<IslandId>& islands)
{
    if (islands == m_islands)
        return;
    m_islands = islands;
    invalidateFilter();
}

bool CandidateFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_words.isEmpty() && m_islands.empty())
        return true;
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!m_islands.empty() && !m_islands.contains(IslandId{index.data(CandidateModel::IslandRole).toLongLong()}))
        return false;
    if (m_words.isEmpty())
        return true;
    const QString all = index.data(CandidateModel::SearchRole).toString();
    return std::ranges::all_of(m_words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace tilewright::ui
