// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QIconEngine>
#include <QPainter>

namespace tilewright::ui {

namespace {

class BadgeEngine : public QIconEngine
{
public:
    explicit BadgeEngine(IslandId island)
        : m_island(island)
    {
    }
    QIconEngine* clone() const override { return new BadgeEngine(m_island); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override
    {
        drawBadge(*painter, rect, m_island);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }

private:
    IslandId m_island;
};

} // namespace

QIcon badgeIcon(IslandId island) { return QIcon(new BadgeEngine(island)); }

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
