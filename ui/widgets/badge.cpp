// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace tilewright::ui {

Badge::Badge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setIsland(IslandId island)
{
    m_island = island;
    setAccessibleName(tr("Island %1").arg(QString::fromStdString(islandLetter(island))));
    update();
}

QSize Badge::sizeHint() const { return {px(17), px(17)}; }

void Badge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_island)
        drawBadge(painter, rect(), m_island);
}

} // namespace tilewright::ui
