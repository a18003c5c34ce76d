// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include "core/model/measurement/evidence.h"
#include "core/model/measurement/shape_choice.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/score_words.h"

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

QVariant alignmentOf(RunsModel::Column column)
{
    using Column = RunsModel::Column;
    const bool isNumber = column == Column::Number || (column >= Column::Score && column != Column::Agreement);
    return QVariant(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
}

/// With half its interval; what became of it where it has none.
QString scoreWords(const EvaluationResult& result)
{
    if (!result.score)
        return result.outcome == Outcome::Ranked ? u"–"_s : words(result.outcome);
    const Interval& score = *result.score;
    const QString provisional = result.purpose == Purpose::Screen ? u"≈ "_s : QString();
    const QString half = score.hi > score.lo && score.value > 0
        ? u" ± "_s + percent((score.hi - score.lo) / 2 / score.value)
        : QString();
    return provisional + times(score.value) + half;
}

QString aboutColumn(RunsModel::Column column)
{
    switch (column) {
    case RunsModel::Column::Score:
        return RunsModel::tr("Baseline time / candidate time with half its 95 % interval; ≈: screened, not confirmed");
    case RunsModel::Column::Agreement:
        return RunsModel::tr("For a re-run: whether it agrees with the first verdict");
    case RunsModel::Column::Samples:
        return RunsModel::tr("Timings of the candidate on each shape");
    default:
        return {};
    }
}

} // namespace

void RunsModel::show(const RunState& run, CandidateId candidate, const Task* task)
{
    std::vector<Row> rows;
    const Candidate* of = run.candidate(candidate);
    for (const Evaluation* evaluation : evaluationsOf(run, candidate) | std::views::reverse) {
        Row row{*evaluation, placeOf(run, *evaluation, task), u"–"_s, {}};
        if (rerunOf(run, evaluation->id)) {
            row.agreement = words(findingOf(run, *of, *evaluation).agreement);
            row.finding = agreementWords(run, *of, *evaluation);
        }
        rows.push_back(std::move(row));
    }
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const Evaluation* RunsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].evaluation : nullptr;
}

QString RunsModel::findingAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].finding : QString();
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
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const Evaluation& evaluation = row.evaluation;
    const EvaluationResult& result = evaluation.result;
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    if (role == Qt::ToolTipRole) {
        QStringList lines{tr("against %1 on %2").arg(nameOfCandidate(evaluation.against), text(evaluation.device)),
            row.finding, result.rule.empty() ? QString() : text(result.rule + ": " + result.text)};
        if (const auto library = vendorLibraryOf(result))
            lines << tr("Vendor library: %1").arg(text(describe(*library)));
        lines.removeAll(QString());
        return lines.join(u'\n');
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Number:
        return QString::number(evaluation.id.value);
    case Column::Purpose:
        return words(result.purpose);
    case Column::Place:
        return row.place;
    case Column::Outcome:
        return words(result.outcome);
    case Column::Verdict:
        return words(result.verdict);
    case Column::Score:
        return scoreWords(result);
    case Column::Agreement:
        return row.agreement;
    case Column::Samples:
        return samplesOf(result);
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
        return alignmentOf(column);
    if (role == Qt::ToolTipRole)
        return aboutColumn(column);
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
    case Column::Agreement:
        return tr("Agreement");
    case Column::Samples:
        return tr("Samples");
    case Column::Vendor:
        return tr("× vendor library");
    case Column::Noise:
        return tr("Noise");
    case Column::Wall:
        return tr("Took");
    case Column::Count:
        break;
    }
    return {};
}

namespace {

constexpr double manyGigaflops = 10000;

} // namespace

void ShapeModel::show(const Candidate& candidate, const Evaluation* evaluation, const Task* task)
{
    beginResetModel();
    m_rows.clear();
    m_against = Against::Incumbent;
    m_scale = 1;
    m_inTera = false;
    if (evaluation) {
        for (const ShapeResult& result : evaluation->result.shapes) {
            if (result.split == ShapeSplit::Heldout && !candidate.confirmed)
                continue;
            Row row{result, std::nullopt};
            if (task && result.candidateNs > 0)
                row.rate = task->flopsOf(result.shape) / result.candidateNs;
            m_rows.push_back(std::move(row));
        }
        const auto any = [this](auto member) {
            return std::ranges::any_of(m_rows, [member](const Row& row) { return (row.result.*member).has_value(); });
        };
        if (any(&ShapeResult::versusVendor))
            m_against = Against::Vendor;
        else if (any(&ShapeResult::versusBaseline))
            m_against = Against::Baseline;
        for (const Row& row : m_rows)
            m_scale = std::max(m_scale, ratioOf(row.result).value_or(0));
        m_inTera = std::ranges::any_of(m_rows, [](const Row& row) { return row.rate.value_or(0) >= manyGigaflops; });
    }
    endResetModel();
}

void ShapeModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

QString ShapeModel::againstWords() const
{
    return m_against == Against::Vendor  ? tr("× vendor")
        : m_against == Against::Baseline ? tr("× baseline")
                                         : tr("× best");
}

std::optional<double> ShapeModel::ratioOf(const ShapeResult& result) const
{
    const std::optional<Interval>& figure = m_against == Against::Vendor ? result.versusVendor
        : m_against == Against::Baseline                                 ? result.versusBaseline
                                                                         : result.versusIncumbent;
    return figure ? std::optional(figure->value) : std::nullopt;
}

int ShapeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ShapeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant ShapeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case RatioRole:
        return ratioOf(row.result).value_or(0);
    case ScaleRole:
        return m_scale;
    case HeldoutRole:
        return row.result.split == ShapeSplit::Heldout;
    case BaselineTickRole:
        if (m_against == Against::Vendor && row.result.baselineNs && row.result.vendorNs && *row.result.baselineNs > 0)
            return *row.result.vendorNs / *row.result.baselineNs;
        return {};
    case Qt::TextAlignmentRole:
        return QVariant(column >= Column::Ratio ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        const ShapeResult& r = row.result;
        QStringList facts{tr("%1 samples, median %2").arg(r.samples).arg(shortTime(r.candidateNs))};
        if (r.vendorNs)
            facts << tr("vendor library %1").arg(shortTime(*r.vendorNs));
        if (r.voidBlocks)
            facts << counted(r.voidBlocks, tr("%1 block void"), tr("%1 blocks void"));
        return facts.join(u", "_s);
    }
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (column) {
    case Column::Shape:
        return text(shapeText(row.result.shape));
    case Column::Split:
        return row.result.split == ShapeSplit::Train ? tr("train")
            : row.result.split == ShapeSplit::Own    ? tr("own")
                                                     : tr("held");
    case Column::Ratio: {
        const auto ratio = ratioOf(row.result);
        return ratio ? times(*ratio) : QStringLiteral("–");
    }
    case Column::Rate:
        return row.rate ? rate(m_inTera ? *row.rate / 1e3 : *row.rate) : QStringLiteral("–");
    case Column::Time:
        return shortTime(row.result.candidateNs);
    case Column::Bar:
    case Column::Count:
        break;
    }
    return {};
}

QVariant ShapeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant(column >= Column::Ratio ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return tr("Shape");
    case Column::Split:
        return tr("Split");
    case Column::Bar:
        return tr("Speed");
    case Column::Ratio:
        return againstWords();
    case Column::Rate:
        return m_inTera ? tr("TFLOP/s") : tr("GFLOP/s");
    case Column::Time:
        return tr("Median");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
