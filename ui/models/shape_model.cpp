// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/shape_model.h"

#include "ui/models/format.h"

#include <algorithm>

namespace tilewright::ui {
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
        QString tip = tr("%1 samples, median %2").arg(r.samples).arg(shortTime(r.candidateNs));
        if (r.vendorNs)
            tip += tr(", vendor %1").arg(shortTime(*r.vendorNs));
        if (r.voidBlocks)
            tip += counted(r.voidBlocks, tr(", %1 block void"), tr(", %1 blocks void"));
        return tip;
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
