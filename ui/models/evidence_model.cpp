// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/evidence_model.h"

#include "core/model/measurement/evaluation.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString verdictWords(CheckVerdict verdict)
{
    switch (verdict) {
    case CheckVerdict::Passed:
        return tr("passed");
    case CheckVerdict::Failed:
        return tr("failed");
    case CheckVerdict::NotChecked:
        return tr("not checked");
    }
    return {};
}

QIcon verdictIcon(CheckVerdict verdict)
{
    switch (verdict) {
    case CheckVerdict::Passed:
        return icon(u"check"_s, Tint::Good);
    case CheckVerdict::Failed:
        return icon(u"x"_s, Tint::Bad);
    case CheckVerdict::NotChecked:
        return icon(u"warn"_s, Tint::Warning);
    }
    return {};
}

QString measuredWords(const CheckEvidence& check)
{
    if (!check.measuredText.empty()) // of a failed check the summary and the tooltip say what was found
        return check.detail.empty() || check.verdict == CheckVerdict::Failed
            ? text(check.measuredText)
            : tr("%1, %2").arg(text(check.measuredText), text(check.detail));
    return check.verdict == CheckVerdict::NotChecked ? u"–"_s : tr("not recorded");
}

QString intervalWords(const std::optional<Interval>& interval)
{
    return interval ? text(timesText(*interval)) : u"–"_s;
}

} // namespace

void CheckModel::show(std::vector<CheckEvidence> checks)
{
    if (checks == m_checks)
        return;
    beginResetModel();
    m_checks = std::move(checks);
    endResetModel();
}

int CheckModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_checks.size());
}

int CheckModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant CheckModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const CheckEvidence& check = m_checks[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DecorationRole && column == Column::Verdict)
        return verdictIcon(check.verdict);
    if (role == Qt::ToolTipRole) {
        const QString words = passedWords(text(check.check));
        QStringList tip{words.isEmpty() ? text(check.check) : words, text(check.detail)};
        tip.removeAll(QString());
        return tip.join(u'\n');
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Check:
        return text(check.check);
    case Column::Measured:
        return measuredWords(check);
    case Column::Limit:
        return check.limitText.empty() ? u"–"_s : text(check.limitText);
    case Column::Verdict:
        return verdictWords(check.verdict);
    case Column::Count:
        break;
    }
    return {};
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Check"), tr("Measured"), tr("Limit"), tr("Verdict")};
    return section < static_cast<int>(Column::Count) ? names[section] : QString();
}

void ShapeIntervalModel::show(std::vector<ShapeResult> shapes)
{
    if (shapes == m_shapes)
        return;
    beginResetModel();
    m_shapes = std::move(shapes);
    endResetModel();
}

int ShapeIntervalModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shapes.size());
}

int ShapeIntervalModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant ShapeIntervalModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ShapeResult& shape = m_shapes[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole && column == Column::Samples)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return text(shapeText(shape.shape));
    case Column::Split:
        return text(nameOf(shape.split));
    case Column::Baseline:
        return intervalWords(shape.versusBaseline);
    case Column::Vendor:
        return intervalWords(shape.versusVendor);
    case Column::Samples:
        return grouped(shape.samples);
    case Column::Count:
        break;
    }
    return {};
}

QVariant ShapeIntervalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == static_cast<int>(Column::Samples))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Shape"), tr("Split"), tr("Baseline"), tr("Vendor"), tr("Samples")};
    return section < static_cast<int>(Column::Count) ? names[section] : QString();
}

QString evidenceSummary(const Evidence& evidence)
{
    if (!evidence.evaluation)
        return tr("Not evaluated yet.");
    QStringList lines;
    lines << tr("Evaluation %1 (%2) on %3, isolation %4")
                 .arg(evidence.evaluation.value)
                 .arg(text(nameOf(evidence.purpose)),
                     evidence.device.empty() ? tr("an unrecorded device") : text(evidence.device),
                     evidence.isolation.empty() ? tr("not recorded") : text(evidence.isolation));
    if (evidence.vendor)
        lines << tr("Vendor library: %1").arg(text(describe(*evidence.vendor)));
    if (!evidence.vendorMissing.empty())
        lines << tr("Vendor library: not timed, %1").arg(text(evidence.vendorMissing));
    lines << (evidence.largestError ? tr("Largest error: %1").arg(text(largestErrorText(evidence)))
                                    : tr("Largest error: not recorded"));
    for (const std::string& missed : evidence.notChecked)
        lines << tr("Not checked: %1").arg(text(missed));
    return lines.join(u'\n');
}

} // namespace tilewright::ui
