// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering of the candidate table: the typed query must hold, islands as the selection says. GUI thread.
#pragma once

#include "ui/models/candidate_query.h"

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

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    CandidateQuery m_query;
    std::set<IslandId> m_islands;
};

} // namespace tilewright::ui
