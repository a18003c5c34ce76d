// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_style.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QStyleOption>

namespace tilewright::ui {

namespace {

/// Fusion derives the frame of a check box from the window's colour, which leaves nothing to see in dark themes.
void drawCheck(QPainter& painter, const QStyleOption& option)
{
    const Tokens& t = tokens();
    const bool on = option.state & QStyle::State_On, enabled = option.state & QStyle::State_Enabled;
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(on && enabled ? t.button : t.tertiary, 1.2));
    painter.setBrush(on ? (enabled ? t.button : t.track) : t.panel);
    painter.drawRoundedRect(box, 3, 3);
    if (on) {
        painter.setPen(QPen(enabled ? t.buttonText : t.tertiary, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&box](double x, double y) {
            return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
        };
        painter.drawPolyline(QPolygonF({at(0.24, 0.54), at(0.43, 0.72), at(0.76, 0.32)}));
    }
    painter.restore();
}

} // namespace

FocusStyle::FocusStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
    qApp->installEventFilter(&m_toolTips);
}

void FocusStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    m_boxes.calm(*widget);
}

void FocusStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    if (element == PE_IndicatorCheckBox) {
        drawCheck(*painter, *option);
        return;
    }
    if (element != PE_FrameFocusRect) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    if (qobject_cast<const QAbstractItemView*>(widget) && !widget->hasFocus())
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(tokens().accent, 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 3, 3);
    painter->restore();
}

int FocusStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returned) const
{
    if (hint == SH_Widget_Animation_Duration && Theme::instance().reducesMotion())
        return 0;
    return hint == SH_UnderlineShortcut ? 0 : QProxyStyle::styleHint(hint, option, widget, returned);
}

int FocusStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return px(16);
    case PM_DockWidgetSeparatorExtent:
        return 3;
    case PM_SplitterWidth:
        return 3;
    case PM_ScrollBarExtent:
        return px(11);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

} // namespace tilewright::ui
