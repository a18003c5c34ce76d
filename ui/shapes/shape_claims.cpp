// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shapes/shape_claims.h"

#include "core/model/claim.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/room.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <algorithm>
#include <cmath>

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
    return timed ? tr("%1; on this shape, it was not timed against its parent, nor both against the baseline")
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

QString claimWords(double claimed, const std::optional<ParentChange>& change)
{
    const QString said = EffectAxis::tr("predicted %1").arg(signedPercent(claimed));
    if (!change)
        return said;
    constexpr double farBeyond = 2; // a difference of points tells little where speeds are multiples
    const double measured = change->ratio.value;
    if (measured > farBeyond || measured < 1 / farBeyond) { // both in one unit
        const bool isInPercent = signedPercent(measured).endsWith(u'%') && signedPercent(claimed).endsWith(u'%');
        const auto figure = [&](double ratio) { return isInPercent ? signedPercent(ratio) : times(ratio); };
        return EffectAxis::tr("predicted %1, measured %2").arg(figure(claimed), figure(measured));
    }
    const double points = 100 * (claimed - change->ratio.value);
    const QString distance = QString::number(std::abs(points), 'f', std::abs(points) < 10 ? 1 : 0);
    return std::abs(points) < 0.05 ? EffectAxis::tr("%1, as measured").arg(said)
        : points > 0               ? EffectAxis::tr("%1, %2 percentage points more than measured").arg(said, distance)
                                   : EffectAxis::tr("%1, %2 percentage points less than measured").arg(said, distance);
}

EffectAxis::EffectAxis(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void EffectAxis::show(const std::optional<ParentChange>& change, std::optional<double> claimed)
{
    m_change = change;
    m_claimed = claimed;
    QStringList facts;
    if (change) {
        facts << tr("Change against the parent %1, from %2 to %3; less than %4 is within noise")
                     .arg(signedPercent(change->ratio.value), signedPercent(change->ratio.lo),
                         signedPercent(change->ratio.hi), percent(verdictMargin(change->noise)));
        if (claimed)
            facts << claimWords(*claimed, change);
    }
    setAccessibleName(facts.join(QStringLiteral(", ")));
    update();
}

QSize EffectAxis::sizeHint() const { return {px(80), px(20)}; }

void EffectAxis::paintEvent(QPaintEvent*)
{
    if (!m_change)
        return;
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto logOf = [](double ratio) { return std::log(std::max(ratio, 1e-6)); };
    const double noise = std::log1p(verdictMargin(m_change->noise));
    const double reach = std::max({std::abs(logOf(m_change->ratio.lo)), std::abs(logOf(m_change->ratio.hi)), noise * 3,
                             0.01, std::abs(logOf(m_claimed.value_or(1)))})
        * 1.15;
    const qreal middle = height() / 2.0;
    const auto x = [&](double value) { return width() / 2.0 + value / reach * (width() / 2.0 - 4); };
    QColor band = t.tertiary;
    band.setAlphaF(0.35F);
    painter.fillRect(QRectF(x(-noise), 2, std::max(2.0, x(noise) - x(-noise)), height() - 4), band);
    painter.setPen(t.strongBorder);
    painter.drawLine(QPointF(2, middle), QPointF(width() - 2, middle));
    painter.setPen(t.secondary);
    painter.drawLine(QPointF(x(0), 3), QPointF(x(0), height() - 3));
    const QColor ink = m_change->isWithinNoise() ? t.secondary : m_change->ratio.value > 1 ? t.good : t.bad;
    const auto at = [&](double ratio) { return x(logOf(ratio)); };
    drawInterval(painter, at(m_change->ratio.lo), at(m_change->ratio.value), at(m_change->ratio.hi), middle, ink);
    if (!m_claimed)
        return;
    const QPointF centre(at(*m_claimed), middle);
    painter.setPen(QPen(t.text, 1.5)); // an empty one: what was measured stays in sight behind it
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(
        QPolygonF({centre - QPointF(0, 5), centre + QPointF(5, 0), centre + QPointF(0, 5), centre - QPointF(5, 0)}));
}

} // namespace tilewright::ui
