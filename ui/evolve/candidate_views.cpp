// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_views.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <array>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

constexpr std::array<const char*, static_cast<std::size_t>(CandidateModel::Column::Count)> columnNames{
    "name", "island", "generation", "evaluation", "state", "score", "vendor", "parent", "parents", "change", "marks"};

QString columnName(int column) { return QLatin1String(columnNames[static_cast<std::size_t>(column)]); }

/// −1 for a name that is none.
int columnOf(const QString& name)
{
    for (std::size_t i = 0; i < columnNames.size(); ++i)
        if (name == QLatin1String(columnNames[i]))
            return static_cast<int>(i);
    return -1;
}

} // namespace

QByteArray toJson(const std::vector<CandidateView>& views)
{
    QJsonArray all;
    for (const CandidateView& view : views) {
        QJsonArray unwanted;
        for (const int column : view.unwanted)
            unwanted.append(columnName(column));
        all.append(QJsonObject{{u"name"_s, view.name}, {u"query"_s, view.query}, {u"unwanted"_s, unwanted},
            {u"sort"_s, columnName(view.sortColumn)}, {u"ascending"_s, view.order == Qt::AscendingOrder}});
    }
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

std::vector<CandidateView> viewsFrom(const QByteArray& json)
{
    std::vector<CandidateView> views;
    const QJsonArray all = QJsonDocument::fromJson(json).array();
    for (const QJsonValue& one : all) {
        if (!one.isObject())
            continue;
        CandidateView view;
        view.name = one[u"name"_s].toString();
        view.query = one[u"query"_s].toString();
        const QJsonArray unwanted = one[u"unwanted"_s].toArray();
        for (const QJsonValue& column : unwanted)
            if (const int at = columnOf(column.toString()); at > 0)
                view.unwanted.insert(at);
        if (const int sort = columnOf(one[u"sort"_s].toString()); sort >= 0)
            view.sortColumn = sort;
        view.order = one[u"ascending"_s].toBool() ? Qt::AscendingOrder : Qt::DescendingOrder;
        views.push_back(view);
    }
    return views;
}

std::vector<CandidateView> withView(std::vector<CandidateView> views, const CandidateView& view)
{
    const auto found = std::ranges::find(views, view.name, &CandidateView::name);
    if (found == views.end())
        views.push_back(view);
    else
        *found = view;
    return views;
}

std::vector<CandidateView> withViewBack(std::vector<CandidateView> views, CandidateView view, std::size_t place)
{
    const QString name = view.name;
    for (int i = 2; std::ranges::find(views, view.name, &CandidateView::name) != views.end(); ++i)
        view.name = u"%1 (%2)"_s.arg(name).arg(i);
    views.insert(views.begin() + static_cast<std::ptrdiff_t>(std::min(place, views.size())), std::move(view));
    return views;
}

std::vector<CandidateView> withoutView(std::vector<CandidateView> views, const QString& name)
{
    std::erase_if(views, [&name](const CandidateView& view) { return view.name == name; });
    return views;
}

} // namespace tilewright::ui
