// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/open_prompts_model.h"

#include "ui/models/format.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString turnWords(const Inquiry& inquiry)
{
    const QString purpose = asksFor(inquiry);
    return inquiry.attempt > 1 ? OpenPromptsModel::tr("%1, turn %2").arg(purpose).arg(inquiry.attempt) : purpose;
}

void OpenPromptsModel::show(const Snapshot& snapshot)
{
    std::vector<Inquiry> rows;
    std::vector<QString> islands;
    if (snapshot.status.answersByHand)
        for (const InquiryId id : snapshot.status.openInquiries)
            if (const Inquiry* inquiry = snapshot.run.inquiry(id)) {
                rows.push_back(*inquiry);
                const Island* island = snapshot.run.island(inquiry->island);
                islands.push_back(island ? text(islandLetter(island->id) + " " + island->name) : u"–"_s);
            }
    m_nowNs = std::max(snapshot.status.runNs, snapshot.run.runNs);
    if (std::ranges::equal(rows, m_rows, {}, &Inquiry::id, &Inquiry::id)) {
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

const Inquiry* OpenPromptsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int OpenPromptsModel::rowOf(InquiryId inquiry) const
{
    const auto found = std::ranges::find(m_rows, inquiry, &Inquiry::id);
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
    const Inquiry* inquiry = at(index.row());
    if (!inquiry || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(index.column())) {
    case Column::Island:
        return m_islands[static_cast<std::size_t>(index.row())];
    case Column::Focus:
        return turnWords(*inquiry);
    case Column::Parent:
        return inquiry->parents.empty() ? u"–"_s : nameOfCandidate(inquiry->parents.front());
    case Column::Waiting:
        return duration(std::max<std::int64_t>(0, m_nowNs - inquiry->askedNs));
    case Column::Count:
        break;
    }
    return {};
}

QVariant OpenPromptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Island"), tr("Asks for"), tr("Edits"), tr("Waiting")};
    return section < static_cast<int>(Column::Count) ? names[section] : QString();
}

} // namespace tilewright::ui
