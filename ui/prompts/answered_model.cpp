// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/answered_model.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostReplies = 100;

/// Where the prompt lies, or its number.
QString placeWords(const ModelRequest& request)
{
    return request.place.empty() ? tr("no. %1").arg(request.id.value) : text(request.place);
}

std::vector<AnsweredModel::Row> rowsOf(const RunState& run)
{
    std::vector<AnsweredModel::Row> rows;
    for (const ReplyOutcome& outcome : replyOutcomes(run, "manual", mostReplies)) {
        const ModelRequest& modelRequest = *run.modelRequest(outcome.modelRequest);
        const QString prompt = placeWords(modelRequest);
        if (outcome.edits.empty())
            rows.push_back({modelRequest.id, prompt, text(describe(run, outcome)).trimmed(), {}, {}, 0});
        for (const EditOutcome& edit : outcome.edits) {
            const ModelRequest* again = run.modelRequest(edit.askedAgain);
            QString standing = edit.isDuplicate ? QString() : text(standingOf(run, edit.candidate));
            if (again)
                standing = again->state == ModelRequestState::Open ? tr("a prompt for a repair is open")
                                                                   : tr("a repair was requested");
            rows.push_back({modelRequest.id, edit.part ? tr("%1, edit %2").arg(prompt).arg(edit.part) : prompt,
                text(describe(edit)), standing, edit.candidate, edit.part});
        }
    }
    return rows;
}

} // namespace

void AnsweredModel::show(const Snapshot& snapshot)
{
    if (snapshot.run.lastSeq == m_seen && snapshot.status.sessionPath == m_session)
        return;
    m_seen = snapshot.run.lastSeq;
    m_session = snapshot.status.sessionPath;
    std::vector<Row> rows = rowsOf(snapshot.run);
    if (rows == m_rows)
        return;
    const auto isSameRow = [](const Row& one, const Row& other) {
        return one.modelRequest == other.modelRequest && one.part == other.part;
    };
    if (std::ranges::equal(rows, m_rows, isSameRow)) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const AnsweredModel::Row* AnsweredModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int AnsweredModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AnsweredModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant AnsweredModel::data(const QModelIndex& index, int role) const
{
    const Row* row = at(index.row());
    if (!row)
        return {};
    const auto column = static_cast<Column>(index.column());
    if (role == IdRole)
        return QStringLiteral("%1/%2").arg(row->modelRequest.value).arg(row->part);
    if (role == Qt::ForegroundRole && column == Column::Outcome && row->candidate)
        return tokens().accent;
    if (role == Qt::ToolTipRole)
        return row->standing.isEmpty() ? row->outcome : row->outcome + u'\n' + row->standing;
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Prompt:
        return row->prompt;
    case Column::Outcome:
        return row->outcome;
    case Column::Standing:
        return row->standing;
    case Column::Count:
        break;
    }
    return {};
}

QVariant AnsweredModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Prompt"), tr("Outcome"), tr("Now")};
    return section < static_cast<int>(Column::Count) ? names[section] : QString();
}

} // namespace tilewright::ui
