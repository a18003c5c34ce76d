// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/meter.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {
namespace {
constexpr double warnFrom = 0.9;
}

Meter::Meter(const QString& name, QWidget* parent)
    : QAbstractButton(parent)
    , m_name(name)
{
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setToolTip(m_tip = tr("Change the budget"));
}

void Meter::show(const QString& spent, const QString& limit, double part)
{
    if (spent == m_spent && limit == m_limit && part == m_part)
        return;
    const QSize before = sizeHint();
    m_spent = spent;
    m_limit = limit;
    m_part = part;
    setAccessibleName(tr("%1: %2 of %3. Activate to change the budget.").arg(m_name, spent, limit));
    if (toolTip() == m_tip)
        setToolTip(m_tip = accessibleName());
    if (sizeHint() != before)
        updateGeometry();
    update();
}

void Meter::setWords(Words words)
{
    if (words == m_words)
        return;
    m_words = words;
    updateGeometry();
    update();
}

int Meter::widthWith(Words words) const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    // Room for digits to change without the toolbar moving.
    if (words == Words::All) {
        const int text = metrics.horizontalAdvance(m_name + m_spent + m_limit) + px(32);
        return std::max(px(124), (text + px(11)) / px(12) * px(12));
    }
    const int text = metrics.horizontalAdvance(words == Words::Few ? m_name + m_spent : m_spent) + px(20);
    return std::max(px(44), (text + px(5)) / px(6) * px(6));
}

QSize Meter::sizeHint() const { return {widthWith(m_words), px(34)}; }

void Meter::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const QRect inner = rect().adjusted(px(5), px(3), -px(5), -px(5));
    const QFontMetrics metrics(fontOf(Type::Secondary));
    const QRect line(inner.left(), inner.top(), inner.width(), metrics.height());
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    if (m_words != Words::Figure)
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_name);
    const QString limit = m_words == Words::All ? QStringLiteral(" / ") + m_limit : QString();
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, limit);
    painter.setPen(m_part >= warnFrom ? t.warning : t.text);
    painter.drawText(
        line.adjusted(0, 0, -metrics.horizontalAdvance(limit), 0), Qt::AlignRight | Qt::AlignVCenter, m_spent);
    QRectF bar(inner.left(), inner.bottom() - px(3), inner.width(), px(3));
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.track);
    painter.drawRoundedRect(bar, 1.5, 1.5);
    if (m_part > 0) {
        bar.setWidth(bar.width() * std::min(m_part, 1.0));
        painter.setBrush(m_part >= warnFrom ? t.warning : t.accent);
        painter.drawRoundedRect(bar, 1.5, 1.5);
    }
}

} // namespace tilewright::ui
