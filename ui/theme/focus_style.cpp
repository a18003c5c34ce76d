// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_style.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyleOption>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>

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

void CalmBoxes::calm(QWidget& widget)
{
    if (!qobject_cast<QComboBox*>(&widget) && !qobject_cast<QAbstractSpinBox*>(&widget))
        return;
    if (widget.focusPolicy() == Qt::WheelFocus)
        widget.setFocusPolicy(Qt::StrongFocus);
    widget.installEventFilter(this);
}

namespace {

/// A letter, a sign or a digit: with it an entry of a list is looked for, or a number written.
bool isTyped(const QKeyEvent& key)
{
    const auto beside = key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    return beside == Qt::NoModifier && !key.text().isEmpty() && key.text().front().isPrint();
}

} // namespace

bool CalmBoxes::eventFilter(QObject* watched, QEvent* event)
{
    auto* box = qobject_cast<QWidget*>(watched);
    if (!box)
        return false;
    if (event->type() == QEvent::Wheel && !box->hasFocus()) {
        event->ignore(); // goes on to the page
        return true;
    }
    // What is typed into it gives no order of one letter.
    if (event->type() == QEvent::ShortcutOverride && isTyped(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    // Once somebody is about to open it: a list each takes time that the start of the window does not have.
    const bool isNear = event->type() == QEvent::Enter || event->type() == QEvent::FocusIn
        || event->type() == QEvent::MouseButtonPress;
    if (auto* combo = qobject_cast<QComboBox*>(box);
        combo && isNear && !qobject_cast<QStyledItemDelegate*>(combo->itemDelegate()))
        combo->setItemDelegate(new ListRows(combo));
    return false;
}

QSize ListRows::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), px(22))};
}

using namespace Qt::StringLiterals;

namespace {

/// What Qt would show there; of a list, a table or a heading, of what the pointer is on.
QString toolTipAt(const QWidget& widget, const QPoint& at)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    if (!view || view->viewport() != &widget)
        return widget.toolTip();
    if (const auto* header = qobject_cast<const QHeaderView*>(view)) {
        const bool lies = header->orientation() == Qt::Horizontal;
        const int section = header->logicalIndexAt(at);
        return section < 0 || !header->model()
            ? QString()
            : header->model()->headerData(section, lies ? Qt::Horizontal : Qt::Vertical, Qt::ToolTipRole).toString();
    }
    const QModelIndex index = view->indexAt(at);
    return index.isValid() ? index.data(Qt::ToolTipRole).toString() : QString();
}

} // namespace

QString brokenToolTip(const QString& words)
{
    if (words.isEmpty() || Qt::mightBeRichText(words))
        return words;
    const QFontMetrics metrics(QToolTip::font());
    const QStringList lines = words.split(u'\n');
    const int most = px(480);
    if (std::ranges::none_of(lines, [&](const QString& line) { return metrics.horizontalAdvance(line) > most; }))
        return words;
    QStringList escaped;
    for (const QString& line : lines)
        escaped << line.toHtmlEscaped();
    return u"<table width=\"%1\"><tr><td>%2</td></tr></table>"_s.arg(most).arg(escaped.join(u"<br>"_s));
}

bool LongToolTips::eventFilter(QObject* watched, QEvent* event)
{
    const auto* widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget)
        return false;
    const auto& help = *static_cast<QHelpEvent*>(event);
    const QString words = toolTipAt(*widget, help.pos()), broken = brokenToolTip(words);
    if (broken == words)
        return false; // as Qt shows it, if there is one
    QToolTip::showText(help.globalPos(), broken, const_cast<QWidget*>(widget));
    return true;
}

} // namespace tilewright::ui
