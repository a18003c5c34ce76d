// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/effect_axis.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

EffectAxis::EffectAxis(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void EffectAxis::show(const std::optional<ParentChange>& change)
{
    m_change = change;
    if (change)
        setAccessibleName(tr("Change against the parent %1, from %2 to %3, noise floor %4")
                              .arg(signedPercent(change->ratio.value), signedPercent(change->ratio.lo),
                                  signedPercent(change->ratio.hi), percent(change->noise)));
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
    const double noise = std::log1p(m_change->noise);
    const double reach
        = std::max({std::abs(logOf(m_change->ratio.lo)), std::abs(logOf(m_change->ratio.hi)), noise * 3, 0.01}) * 1.15;
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
    const qreal lo = x(logOf(m_change->ratio.lo)), hi = x(logOf(m_change->ratio.hi));
    painter.setPen(QPen(ink, 2));
    painter.drawLine(QPointF(lo, middle), QPointF(hi, middle));
    painter.drawLine(QPointF(lo, middle - 3), QPointF(lo, middle + 3));
    painter.drawLine(QPointF(hi, middle - 3), QPointF(hi, middle + 3));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(QPointF(x(logOf(m_change->ratio.value)), middle), 4, 4);
}

} // namespace tilewright::ui
