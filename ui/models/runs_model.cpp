// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include "core/model/shape_choice.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"

#include <algorithm>
#include <ranges>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString placeOf(const RunState& run, const Evaluation& evaluation, const Task* task)
{
    const Rerun* rerun = rerunOf(run, evaluation.id);
    const std::vector<ShapeResult>& measured = evaluation.result.shapes;
    const bool hasHeldout
        = std::ranges::any_of(measured, [](const ShapeResult& shape) { return shape.split == ShapeSplit::Heldout; });
    QString place = measured.empty() ? u"–"_s : hasHeldout ? RunsModel::tr("all") : RunsModel::tr("train");
    if (rerun && !rerun->shapes.empty())
        place = task ? text(wordsOfShapes(*task, rerun->shapes)) : text(shapeText(rerun->shapes.front()));
    if (!rerun || rerun->device.empty())
        return place;
    const nlohmann::json& environment = evaluation.result.environment;
    const std::string model = environment.is_object() ? environment.value("device", "") : "";
    return RunsModel::tr("%1 · %2").arg(place, text(model.empty() ? rerun->device : model));
}

} // namespace

void RunsModel::show(const RunState& run, CandidateId candidate, const Task* task)
{
    std::vector<Evaluation> rows;
    std::vector<QString> places;
    for (const Evaluation* evaluation : evaluationsOf(run, candidate) | std::views::reverse) {
        rows.push_back(*evaluation);
        places.push_back(placeOf(run, *evaluation, task));
    }
    if (rows == m_rows && places == m_places)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    m_places = std::move(places);
    endResetModel();
}

const Evaluation* RunsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
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
    case Column::Place:
        return m_places[static_cast<std::size_t>(index.row())];
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
    case Column::Place:
        return tr("Shapes");
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
