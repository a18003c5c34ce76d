// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pill.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace tilewright::ui {

Pill::Pill(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Pill::show(const QString& text, Mood mood, const QString& icon)
{
    m_text = text;
    m_icon = icon;
    m_mood = mood;
    setAccessibleName(text);
    updateGeometry();
    update();
    setVisible(true);
}

QSize Pill::sizeHint() const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    return {metrics.horizontalAdvance(m_text) + px(16) + (m_icon.isEmpty() ? 0 : px(16)), metrics.height() + px(4)};
}

void Pill::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    const auto [fill, ink] = [&]() -> std::pair<QColor, QColor> {
        switch (m_mood) {
        case Mood::Accent:
            return {t.pill, t.accent};
        case Mood::Good:
            return {t.goodPill, t.good};
        case Mood::Bad:
            return {t.badPill, t.bad};
        case Mood::Warning:
            return {t.warningPill, t.warning};
        case Mood::Plain:
            break;
        }
        return {t.track, t.secondary};
    }();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
    int left = px(8);
    if (!m_icon.isEmpty()) {
        const int side = px(13);
        painter.drawPixmap(left - px(1), (height() - side) / 2, iconPixmap(m_icon, ink, side, devicePixelRatioF()));
        left += px(15);
    }
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(ink);
    painter.drawText(rect().adjusted(left, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

} // namespace tilewright::ui
