// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/calls_model.h"

#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

std::vector<CallsRow> callsOf(const Snapshot& snapshot)
{
    std::vector<CallsRow> rows;
    const auto rowOf = [&rows](const std::string& name) -> CallsRow& {
        const bool byHand = name.empty() || name == "manual";
        const QString shown = byHand ? CallsModel::tr("manual") : text(name);
        const auto found = std::ranges::find(rows, shown, &CallsRow::name);
        if (found != rows.end())
            return *found;
        CallsRow fresh;
        fresh.name = shown;
        return rows.emplace_back(std::move(fresh));
    };
    for (const ModelStatus& status : snapshot.status.models) {
        CallsRow& row = rowOf(status.name);
        row.troubled = status.condition != ModelCondition::Ready;
        row.now = row.troubled ? text(status.text.empty() ? nameOf(status.condition) : status.text)
            : status.inFlight  ? CallsModel::tr("%1 in flight").arg(status.inFlight)
                               : CallsModel::tr("ready");
        if (const QString left = limitWords(status.limits); !left.isEmpty() && !row.troubled)
            row.now += u" · "_s + left;
        row.limits = limitLines(status.limits);
    }
    for (const auto& [name, statistics] : snapshot.run.statisticsByModel)
        if (CallsRow& row = rowOf(name); row.now.isEmpty() && !statistics.pausedBecause.empty()) {
            row.troubled = true;
            row.now = CallsModel::tr("paused: %1").arg(text(statistics.pausedBecause));
        }
    if (!snapshot.statistics)
        return rows;
    for (const PromptStatistics& one : snapshot.statistics->byModel) {
        if (one.asked == 0)
            continue;
        CallsRow& row = rowOf(one.model);
        row.calls = one.asked;
        row.unanswered = one.unanswered;
        row.tokens = one.tokens;
        row.costMicroUsd = one.costMicroUsd;
        row.unpriced = one.unpriced;
    }
    return rows;
}

void CallsModel::show(const Snapshot& snapshot)
{
    std::vector<CallsRow> rows = callsOf(snapshot);
    if (rows == m_rows)
        return;
    const bool same = std::ranges::equal(rows, m_rows, {}, &CallsRow::name, &CallsRow::name);
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    if (!same)
        endResetModel();
    else
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString CallsModel::troubles() const
{
    QStringList all;
    for (const CallsRow& row : m_rows)
        if (row.troubled)
            all << u"%1: %2"_s.arg(row.name, row.now);
    return all.join(u'\n');
}

int CallsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CallsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant CallsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const CallsRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((column > Column::Now ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (column == Column::Now && row.troubled && role == Qt::ForegroundRole)
        return tokens().warning;
    if (column == Column::Now && row.troubled && role == Qt::DecorationRole)
        return icon(u"warn"_s, Tint::Warning);
    if (column == Column::Now && role == Qt::ToolTipRole)
        return row.limits.isEmpty() ? row.now : row.now + u'\n' + row.limits;
    if (role == Qt::ToolTipRole && column == Column::Read && row.tokens.read())
        return readWords(row.tokens);
    if (role == Qt::ToolTipRole && column == Column::Written && row.tokens.written())
        return writtenWords(row.tokens);
    if (role != Qt::DisplayRole)
        return {};
    const auto figure = [](std::int64_t number) { return number ? grouped(number) : u"–"_s; };
    switch (column) {
    case Column::Name:
        return row.name;
    case Column::Now:
        return row.now.isEmpty() ? u"–"_s : row.now;
    case Column::Calls:
        return figure(row.calls);
    case Column::Failed:
        return figure(row.unanswered);
    case Column::Read:
        return figure(row.tokens.read());
    case Column::Written:
        return figure(row.tokens.written());
    case Column::Cost:
        return spentWords(row.costMicroUsd, row.unpriced, row.tokens.total());
    case Column::Count:
        break;
    }
    return {};
}

QVariant CallsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section > static_cast<int>(Column::Now) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString names[]
        = {tr("Model"), tr("Now"), tr("Requests"), tr("Failed"), tr("Read"), tr("Written"), tr("Cost")};
    const QString tips[] = {{}, {}, tr("Requests sent"), tr("Requests without a complete reply"), tr("Prompt tokens"),
        tr("Reply tokens"), tr("Total of replies with a known price")};
    if (section < 0 || section >= static_cast<int>(Column::Count))
        return {};
    return role == Qt::DisplayRole ? names[section] : role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

} // namespace tilewright::ui
