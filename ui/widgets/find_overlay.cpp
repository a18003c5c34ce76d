// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/find_overlay.h"

#include "ui/theme/theme.h"
#include "ui/widgets/find_box.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

FindOverlay::FindOverlay(QPlainTextEdit& view)
    : FindLine(view, &view)
{
    setObjectName(u"findOverlay"_s);
    setProperty("role", u"card"_s);
    setAutoFillBackground(true);
    box().setMinimumWidth(px(220));
    connect(this, &FindLine::told, this, [this] {
        place();
        raise();
    });
    view.installEventFilter(this);
}

bool FindOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &view() && event->type() == QEvent::Resize)
        place();
    return FindLine::eventFilter(watched, event);
}

void FindOverlay::place()
{
    adjustSize();
    const QRect room = view().viewport()->geometry();
    resize(std::min(width(), room.width()), height());
    move(room.right() - width() - px(4), room.top() + px(4));
}

} // namespace tilewright::ui
