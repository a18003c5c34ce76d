// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/work_model.h"

#include "ui/devices/time_axis.h"
#include "ui/devices/work_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void WorkModel::clear()
{
    beginResetModel();
    m_snapshot.reset();
    m_lanes = nullptr;
    m_live.clear();
    m_rows.clear();
    m_seen.clear();
    endResetModel();
}

void WorkModel::collect()
{
    const auto& lanes = m_lanes->lanes();
    m_seen.resize(lanes.size(), 0);
    const auto first = static_cast<std::ptrdiff_t>(m_rows.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        for (; m_seen[lane] < lanes[lane].spans().size(); ++m_seen[lane])
            m_rows.push_back({static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(m_seen[lane])});
    const auto end = [&lanes](const Row& row) { return lanes[row.lane].spans()[row.span].endNs; };
    std::ranges::stable_sort(m_rows.begin() + first, m_rows.end(), {}, end);
}

void WorkModel::show(const SnapshotPtr& snapshot, const WorkLanes& lanes)
{
    if (!m_lanes || lanes.arrangement() != m_arrangement || lanes.size() < m_rows.size()) {
        beginResetModel();
        m_snapshot = snapshot;
        m_lanes = &lanes;
        m_arrangement = lanes.arrangement();
        m_live = lanes.live();
        m_rows.clear();
        m_seen.clear();
        collect();
        endResetModel();
        return;
    }
    m_snapshot = snapshot;
    showLive();
    const auto fresh = static_cast<int>(lanes.size() - m_rows.size());
    if (fresh == 0)
        return;
    const int top = static_cast<int>(m_live.size());
    beginInsertRows({}, top, top + fresh - 1);
    collect();
    endInsertRows();
}

void WorkModel::showLive()
{
    const auto& live = m_lanes->live();
    const auto before = static_cast<int>(m_live.size()), now = static_cast<int>(live.size());
    if (now < before)
        beginRemoveRows({}, now, before - 1);
    else if (now > before)
        beginInsertRows({}, before, now - 1);
    m_live = live;
    if (now < before)
        endRemoveRows();
    else if (now > before)
        endInsertRows();
    if (now > 0)
        Q_EMIT dataChanged(index(0, 0), index(now - 1, columnCount() - 1));
}

WorkModel::Piece WorkModel::at(int row) const
{
    const auto& lanes = m_lanes->lanes();
    const auto place = static_cast<std::size_t>(row);
    if (place < m_live.size())
        return {&lanes[static_cast<std::size_t>(m_live[place].lane)], &m_live[place].span};
    const Row& at = m_rows[m_rows.size() - 1 - (place - m_live.size())];
    return {&lanes[at.lane], &lanes[at.lane].spans()[at.span]};
}

int WorkModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_live.size() + m_rows.size());
}

int WorkModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant WorkModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto column = static_cast<Column>(index.column());
    const bool isFigure = column == Column::Start || column == Column::Duration || column == Column::Waited;
    if (role == Qt::TextAlignmentRole)
        return QVariant((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const auto [lane, span] = at(index.row());
    const RunState& run = m_snapshot->run;
    if (role == IdRole)
        return static_cast<qlonglong>(candidateOf(run, *span).value);
    if (role == Qt::ForegroundRole && column == Column::Outcome && span->failed)
        return tokens().bad;
    if (role == Qt::FontRole && column == Column::Candidate)
        return fontOf(Type::Mono);
    if (role != Qt::DisplayRole)
        return {};
    const auto now = static_cast<double>(m_snapshot->status.runNs);
    const bool ended = span->endNs > 0;
    switch (column) {
    case Column::Lane:
        return laneName(run, *lane);
    case Column::Work:
        return span->activity == Activity::Call ? pieceName(run, *span) : workWords(run, *span);
    case Column::Candidate:
        if (const ModelRequest* modelRequest = run.modelRequest(span->modelRequest);
            modelRequest && !modelRequest->parents.empty())
            return tr("of %1").arg(nameOfCandidate(modelRequest->parents.front())); // what comes of it has its own rows
        return span->candidate ? nameOfCandidate(span->candidate) : u"–"_s;
    case Column::Start:
        return timeLabel(static_cast<double>(span->startNs), 1e6);
    case Column::Duration:
        return shortTime((ended ? static_cast<double>(span->endNs) : now) - static_cast<double>(span->startNs));
    case Column::Waited:
        return span->waitedNs > 0 ? shortTime(static_cast<double>(span->waitedNs)) : u"–"_s;
    case Column::Outcome:
        return outcomeWords(run, *span);
    case Column::Count:
        break;
    }
    return {};
}

QVariant WorkModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant(
            (section >= static_cast<int>(Column::Start) && section <= static_cast<int>(Column::Waited) ? Qt::AlignRight
                                                                                                       : Qt::AlignLeft)
            | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[]
        = {tr("Lane"), tr("Work"), tr("Candidate"), tr("Start"), tr("Duration"), tr("Waited"), tr("Outcome")};
    return section >= 0 && section < static_cast<int>(Column::Count) ? names[section] : QString();
}

} // namespace tilewright::ui
