// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include "ui/models/figures.h"
#include "ui/models/format.h"

namespace tilewright::ui {

void RunsModel::show(const RunState& run, CandidateId candidate)
{
    std::vector<Evaluation> rows;
    for (const Evaluation* evaluation : evaluationsOf(run, candidate))
        rows.push_back(*evaluation);
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Evaluation& evaluation = m_rows[static_cast<std::size_t>(index.row())];
    const EvaluationResult& result = evaluation.result;
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Number || column >= Column::Score ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return tr("against %1 on %2%3")
            .arg(nameOfCandidate(evaluation.against), text(evaluation.device),
                result.rule.empty() ? QString() : QStringLiteral("\n%1: %2").arg(text(result.rule), text(result.text)));
    if (role != Qt::DisplayRole)
        return {};
    const QString provisional = result.purpose == Purpose::Screen ? QStringLiteral("≈ ") : QString();
    switch (column) {
    case Column::Number:
        return QString::number(evaluation.id.value);
    case Column::Purpose:
        return words(result.purpose);
    case Column::Outcome:
        return words(result.outcome);
    case Column::Verdict:
        return words(result.verdict);
    case Column::Score:
        return result.score ? provisional + times(result.score) : times(result.score);
    case Column::Vendor:
        return times(result.vsVendor);
    case Column::Noise:
        return result.noiseFloor > 0 ? QStringLiteral("± ") + percent(result.noiseFloor) : QStringLiteral("–");
    case Column::Wall:
        return shortTime(static_cast<double>(result.wallNs));
    case Column::Count:
        break;
    }
    return {};
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Number || column >= Column::Score ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Number:
        return tr("No.");
    case Column::Purpose:
        return tr("Purpose");
    case Column::Outcome:
        return tr("Outcome");
    case Column::Verdict:
        return tr("Verdict");
    case Column::Score:
        return tr("Score");
    case Column::Vendor:
        return tr("× vendor");
    case Column::Noise:
        return tr("Noise");
    case Column::Wall:
        return tr("Took");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
