// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to look at the table of candidates that a person has given a name: query, columns, order. Kept as JSON. Pure.
#pragma once

#include "ui/models/candidate_model.h"

#include <QByteArray>
#include <QString>
#include <set>
#include <vector>

namespace tilewright::ui {

struct CandidateView {
    QString name; ///< empty: the one that was in use last
    QString query;
    std::set<int> unwanted; ///< columns that are not shown
    int sortColumn = static_cast<int>(CandidateModel::Column::Name);
    Qt::SortOrder order = Qt::DescendingOrder;

    bool operator==(const CandidateView&) const = default;
};

/// Columns by name, so that a later version still knows them.
QByteArray toJson(const std::vector<CandidateView>& views);
/// What cannot be read is left out.
std::vector<CandidateView> viewsFrom(const QByteArray& json);
/// In the place of one with that name, else at the end.
std::vector<CandidateView> withView(std::vector<CandidateView> views, const CandidateView& view);
/// Brought back to the place it had, under another name where its own is taken now.
std::vector<CandidateView> withViewBack(std::vector<CandidateView> views, CandidateView view, std::size_t place);
std::vector<CandidateView> withoutView(std::vector<CandidateView> views, const QString& name);

} // namespace tilewright::ui
