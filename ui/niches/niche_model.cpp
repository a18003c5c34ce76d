// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/niches/niche_model.h"

#include "core/model/conversation.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString offeredBy(const RunState& run, const Candidate& candidate)
{
    if (const QString how = howCopied(run, candidate); !how.isEmpty())
        return how;
    const Proposal* proposal = run.proposal(candidate.proposal);
    return proposal ? text(authorOf(run, *proposal)) : NicheModel::tr("seed");
}

void NicheModel::show(SnapshotPtr snapshot, const NicheChart& chart)
{
    if (chart == m_chart) {
        m_snapshot = std::move(snapshot); // the same places; their holders' figures may have changed
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_chart = chart;
    endResetModel();
}

int NicheModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_chart.cells.size());
}

int NicheModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant NicheModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NicheCell& cell = m_chart.cells[static_cast<std::size_t>(index.row())];
    const Candidate* elite = m_snapshot->run.candidate(cell.elite);
    const auto column = static_cast<Column>(index.column());
    if (role == IdRole)
        return QVariant::fromValue<qlonglong>(cell.elite.value);
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::Score || column == Column::Evaluation ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Across:
        return boundsText(m_chart.across, cell.column);
    case Column::Up:
        return boundsText(m_chart.up, cell.row);
    case Column::Best:
        return nameOfCandidate(cell.elite);
    case Column::Score:
        return elite && elite->isRanked() ? bestWords(*elite) : u"–"_s;
    case Column::Author:
        return elite ? offeredBy(m_snapshot->run, *elite) : u"–"_s;
    case Column::Evaluation:
        return elite && elite->resultNumber ? grouped(elite->resultNumber) : u"–"_s;
    case Column::Count:
        break;
    }
    return {};
}

QVariant NicheModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Across:
        return m_chart.across.name.isEmpty() ? tr("Across") : m_chart.across.name;
    case Column::Up:
        return m_chart.up.name.isEmpty() ? tr("Up") : m_chart.up.name;
    case Column::Best:
        return tr("Best");
    case Column::Score:
        return tr("Score");
    case Column::Author:
        return tr("By");
    case Column::Evaluation:
        return tr("Eval");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
