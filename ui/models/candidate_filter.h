// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering of the candidate table: every typed word must occur, islands as the selection says. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QSortFilterProxyModel>
#include <QStringList>
#include <set>

namespace tilewright::ui {

class CandidateFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CandidateFilter(QObject* parent = nullptr);

    void setWords(const QString& typed);
    void setIslands(const std::set<IslandId>& islands);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    std::set<IslandId> m_islands;
};

} // namespace tilewright::ui
