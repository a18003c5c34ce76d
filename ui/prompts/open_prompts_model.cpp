// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/open_prompts_model.h"

#include "ui/models/display_text.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString turnWords(const ModelRequest& modelRequest)
{
    const QString purpose = asksFor(modelRequest);
    return modelRequest.attempt > 1 ? OpenPromptsModel::tr("%1, turn %2").arg(purpose).arg(modelRequest.attempt)
                                    : purpose;
}

void OpenPromptsModel::show(const Snapshot& snapshot)
{
    std::vector<ModelRequest> rows;
    std::vector<QString> islands;
    if (snapshot.status.answersByHand)
        for (const ModelRequestId id : snapshot.status.openModelRequests)
            if (const ModelRequest* modelRequest = snapshot.run.modelRequest(id)) {
                rows.push_back(*modelRequest);
                const Island* island = snapshot.run.island(modelRequest->island);
                islands.push_back(island ? text(islandLetter(island->id) + " " + island->name) : u"–"_s);
            }
    m_nowNs = std::max(snapshot.status.runNs, snapshot.run.runNs);
    if (std::ranges::equal(rows, m_rows, {}, &ModelRequest::id, &ModelRequest::id)) {
        m_rows = std::move(rows);
        m_islands = std::move(islands);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_islands = std::move(islands);
    endResetModel();
}

const ModelRequest* OpenPromptsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int OpenPromptsModel::rowOf(ModelRequestId modelRequest) const
{
    const auto found = std::ranges::find(m_rows, modelRequest, &ModelRequest::id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int OpenPromptsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OpenPromptsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant OpenPromptsModel::data(const QModelIndex& index, int role) const
{
    const ModelRequest* modelRequest = at(index.row());
    if (!modelRequest || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(index.column())) {
    case Column::Island:
        return m_islands[static_cast<std::size_t>(index.row())];
    case Column::Focus:
        return turnWords(*modelRequest);
    case Column::Parent:
        return modelRequest->parents.empty() ? u"–"_s : nameOfCandidate(modelRequest->parents.front());
    case Column::Waiting:
        return duration(std::max<std::int64_t>(0, m_nowNs - modelRequest->askedNs));
    case Column::Count:
        break;
    }
    return {};
}

QVariant OpenPromptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Island"), tr("Focus"), tr("Edits"), tr("Waiting")};
    return section < static_cast<int>(Column::Count) ? names[section] : QString();
}

} // namespace tilewright::ui
