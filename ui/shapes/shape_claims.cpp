// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shapes/shape_claims.h"

#include "core/model/claim.h"
#include "ui/models/format.h"
#include "ui/shapes/effect_axis.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tone.h"

#include <QHBoxLayout>
#include <QLabel>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ShapeClaims::ShapeClaims(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(u"shapeClaims"_s);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(px(4));
}

ShapeClaims::Row ShapeClaims::addRow()
{
    Row row{new QWidget(this), nullptr, nullptr, nullptr, nullptr};
    row.shape = new QLabel(row.box);
    row.shape->setObjectName(u"claimedShape"_s);
    row.shape->setFont(fontOf(Type::Mono));
    row.change = new QLabel(row.box);
    row.change->setObjectName(u"shapeChange"_s);
    row.change->setFont(fontOf(Type::Strong));
    row.axis = new EffectAxis(row.box);
    row.words = new ElidedLabel({}, row.box);
    row.words->setObjectName(u"shapeClaim"_s);
    row.words->setFont(fontOf(Type::Secondary));
    row.words->setProperty("tone", u"secondary"_s);
    auto* column = new QVBoxLayout(row.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(1));
    auto* figures = new QHBoxLayout;
    figures->setSpacing(px(8));
    figures->addWidget(row.shape);
    figures->addWidget(row.axis, 1);
    figures->addWidget(row.change);
    column->addLayout(figures);
    column->addWidget(row.words);
    m_column->addWidget(row.box);
    return row;
}

/// Why a claim has no measured change beside it.
QString ShapeClaims::unmeasured(const RunState& run, const Candidate& candidate, const Shape& shape)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    const bool timed = evaluation && std::ranges::count(evaluation->result.shapes, shape, &ShapeResult::shape) > 0;
    return timed ? tr("%1; on this shape it was not timed beside its parent, nor both beside the baseline")
                 : tr("%1; it was not measured on this shape");
}

void ShapeClaims::show(const RunState& run, const Candidate& candidate)
{
    const Proposal* proposal = run.proposal(candidate.proposal);
    const std::vector<ShapeClaim> claims = proposal ? shapeClaims(proposal->claim) : std::vector<ShapeClaim>();
    while (m_rows.size() < claims.size())
        m_rows.push_back(addRow());
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        row.box->setVisible(i < claims.size());
        if (i >= claims.size())
            continue;
        const QString shape = text(shapeText(claims[i].shape));
        const auto change = versusParentOn(run, candidate, claims[i].shape);
        const bool noise = change && change->isWithinNoise();
        row.shape->setText(shape);
        row.axis->show(change, claims[i].ratio);
        if (change)
            row.axis->setAccessibleName(u"%1: %2"_s.arg(shape, row.axis->accessibleName()));
        row.change->setText(!change ? QString() : noise ? tr("within noise") : signedPercent(change->ratio.value));
        restyle(row.change, "tone", !change || noise ? u"secondary"_s : change->ratio.value > 1 ? u"good"_s : u"bad"_s);
        row.words->setText(u"◇ "_s
            + (change ? claimWords(claims[i].ratio, change)
                      : unmeasured(run, candidate, claims[i].shape).arg(claimWords(claims[i].ratio, {}))));
    }
    setVisible(!claims.empty());
}

} // namespace tilewright::ui
