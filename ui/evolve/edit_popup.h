// SPDX-License-Identifier: GPL-3.0-or-later
// A small card over a panel with one thing to edit: Enter applies, Escape leaves all as it was. GUI thread.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QFrame>
#include <QKeyEvent>
#include <QTimer>

namespace tilewright::ui {

class EditPopup : public QFrame
{
public:
    explicit EditPopup(QWidget* parent)
        : QFrame(parent, Qt::Popup)
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setProperty("role", QStringLiteral("popup"));
    }

    /// Beside the panel's upper edge.
    void popUpOver(const QWidget& panel)
    {
        adjustSize();
        popUpAt(panel.mapToGlobal(QPoint(px(24), px(24))), roomAround(panel, size()));
    }

    /// At the button that asks for it: below, or above where there is no room.
    void popUpBy(const QWidget& button)
    {
        adjustSize();
        const QRect room = roomAround(button, size());
        const QPoint below = button.mapToGlobal(QPoint(0, button.height() + px(2)));
        const QPoint above = button.mapToGlobal(QPoint(0, -height() - px(2)));
        popUpAt(below.y() + height() <= room.bottom() || above.y() < room.top() ? below : above, room);
    }

protected:
    virtual void accept() = 0;

    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
            if (!m_hasJustChosen)
                accept();
        } else if (event->key() == Qt::Key_Escape)
            close();
        else
            QFrame::keyPressEvent(event);
    }

private:
    void popUpAt(const QPoint& corner, const QRect& room)
    {
        for (QComboBox* box : findChildren<QComboBox*>())
            connect(box, &QComboBox::activated, this, [this] {
                m_hasJustChosen = true;
                QTimer::singleShot(0, this, [this] { m_hasJustChosen = false; });
            });
        move(inside(room, size(), corner));
        show();
    }

    bool m_hasJustChosen = false; ///< by the Return that closes an open list, which is handed on to the card
};

} // namespace tilewright::ui
