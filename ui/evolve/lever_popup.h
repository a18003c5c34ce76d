// SPDX-License-Identifier: GPL-3.0-or-later
// A small card over a panel with one thing to edit: Enter applies, Escape leaves all as it was. GUI thread.
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QScreen>
#include <algorithm>

namespace tilewright::ui {

class LeverPopup : public QFrame
{
public:
    explicit LeverPopup(QWidget* parent)
        : QFrame(parent, Qt::Popup)
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setProperty("role", QStringLiteral("popup"));
    }

    /// Beside the panel's upper edge, on its screen.
    void popUpOver(const QWidget& panel)
    {
        adjustSize();
        popUpAt(panel.mapToGlobal(QPoint(px(24), px(24))), roomAround(panel));
    }

    /// At the button that asks for it: below, or above where there is no room.
    void popUpBy(const QWidget& button)
    {
        adjustSize();
        const QRect room = roomAround(button);
        const QPoint below = button.mapToGlobal(QPoint(0, button.height() + px(2)));
        const QPoint above = button.mapToGlobal(QPoint(0, -height() - px(2)));
        popUpAt(below.y() + height() <= room.bottom() || above.y() < room.top() ? below : above, room);
    }

protected:
    virtual void accept() = 0;

    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            accept();
        else if (event->key() == Qt::Key_Escape)
            close();
        else
            QFrame::keyPressEvent(event);
    }

private:
    /// The screen that it is seen on; of a window that reaches beyond all of them the window.
    static QRect roomAround(const QWidget& widget)
    {
        const QScreen* screen = QGuiApplication::screenAt(widget.mapToGlobal(widget.rect().center()));
        return screen ? screen->availableGeometry() : widget.window()->frameGeometry();
    }

    void popUpAt(QPoint corner, const QRect& room)
    {
        corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
        corner.setY(std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
        move(corner);
        show();
    }
};

} // namespace tilewright::ui
