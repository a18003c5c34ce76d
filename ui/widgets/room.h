// SPDX-License-Identifier: GPL-3.0-or-later
// How large windows may open: as large as they want to be, but a dialog no larger than the window it belongs to, and
// that no larger than the screen; and where popups do. GUI thread.
#pragma once

#include "ui/theme/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <QVariant>
#include <QWidget>
#include <algorithm>

namespace tilewright::ui {

/// Logical pixels at 9 pt; `over`: a widget of that window.
inline void openAs(QWidget& dialog, double width, double height, const QWidget* over)
{
    QSize size(px(width), px(height));
    if (over)
        size = size.boundedTo(over->window()->size() - QSize(px(24), px(48))); // and the frame of the dialog
    dialog.resize(size.expandedTo(dialog.minimumSizeHint()));
}

/// With the frame that the desktop puts around it, on what a screen has left beside its panels.
inline QSize openingSize(QSize wanted, QSize available) { return wanted.boundedTo(available - QSize(px(8), px(36))); }

/// Where something of this size pops up by a widget: inside its window, as far as that is seen and has room for it,
/// else on its screen; of a window that reaches beyond all screens in the window.
inline QRect roomAround(const QWidget& widget, QSize size)
{
    const QRect window = widget.window()->frameGeometry();
    const QScreen* screen = QGuiApplication::screenAt(widget.mapToGlobal(widget.rect().center()));
    if (!screen)
        return window;
    const QRect seen = window.intersected(screen->availableGeometry());
    return seen.width() >= size.width() && seen.height() >= size.height() ? seen : screen->availableGeometry();
}

/// The corner nearest to the wanted one from which it is inside.
inline QPoint inside(const QRect& room, QSize size, QPoint corner)
{
    return {std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - size.width())),
        std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - size.height()))};
}

/// The window is too narrow, for its text, for two columns of cards beside a list, or for panes at both sides. By the
/// window: a page that does not fit is wider than what is seen of it.
inline bool isSlim(const QWidget& part) { return part.window()->width() < px(1120); }

// Tones of widgets: properties that the style sheet looks at, and one that pictures wait for. GUI thread.

/// Of a view while what it has asked for is on its way.
constexpr const char* awaited = "awaited";

/// Changes such a property, and has the widget styled again.
inline void restyle(QWidget* widget, const char* property, const QVariant& value)
{
    if (widget->property(property) == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

/// Words beside what matters.
inline QLabel* quietLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("tone", QStringLiteral("secondary"));
    return label;
}

// Content above something else in a column: as high as it needs to be for its width, and scrolled where the column has
// not that much room, so that what is below keeps its own. GUI thread.

class ShrinkingArea : public QScrollArea
{
public:
    ShrinkingArea(QWidget* content, QWidget* parent)
        : QScrollArea(parent)
    {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus); // the ring belongs to what is in it
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        setWidget(content);
        for (QWidget* ground : {content, viewport()}) // what it stands on
            ground->setAutoFillBackground(false);
    }

    QSize sizeHint() const override
    {
        const QSize hint = widget()->sizeHint();
        return widget()->hasHeightForWidth() ? QSize(hint.width(), widget()->heightForWidth(width())) : hint;
    }
    QSize minimumSizeHint() const override
    {
        return {widget()->minimumSizeHint().width(), std::min(px(72), sizeHint().height())};
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            updateGeometry(); // the content needs another height
        return QScrollArea::event(event);
    }
    /// What the content said while nobody saw it went by unheard.
    void showEvent(QShowEvent* event) override
    {
        QScrollArea::showEvent(event);
        updateGeometry();
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            updateGeometry();
    }
};

} // namespace tilewright::ui
