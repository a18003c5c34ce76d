// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/ways_picture.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tilewright::ui {

namespace {

constexpr double besideWay = 3; ///< ways there and back lie beside each other
int badgeSide() { return px(20); }

} // namespace

WaysPicture::WaysPicture(std::vector<IslandId> islands, QWidget* parent)
    : QWidget(parent)
    , m_islands(std::move(islands))
{
    setObjectName(QStringLiteral("waysPicture"));
    setAccessibleName(tr("Ways between islands: drag from one island to another; the boxes below say the same"));
    setToolTip(tr("Drag from one island to another: a way comes, or goes where there is one"));
    setMouseTracking(true);
}

QSize WaysPicture::sizeHint() const
{
    const int around = std::max<int>(4, static_cast<int>(m_islands.size())) * (badgeSide() + px(8));
    const int side = std::clamp(static_cast<int>(around / std::numbers::pi) + 2 * badgeSide(), px(130), px(320));
    return {side + px(60), side};
}

void WaysPicture::setWays(const std::set<MigrationPlan::Edge>& ways)
{
    m_ways = ways;
    update();
}

QRectF WaysPicture::placeOf(IslandId island) const
{
    const auto at = std::ranges::find(m_islands, island) - m_islands.begin();
    const double angle = 2 * std::numbers::pi * static_cast<double>(at) / static_cast<double>(m_islands.size());
    const double reach = (std::min(width(), height()) - badgeSide()) / 2.0 - px(4);
    QRectF place(0, 0, badgeSide(), badgeSide());
    place.moveCenter(QRectF(rect()).center() + QPointF(std::sin(angle), -std::cos(angle)) * reach);
    return place;
}

std::optional<IslandId> WaysPicture::islandAt(const QPointF& at) const
{
    const double near = px(4);
    for (const IslandId island : m_islands)
        if (placeOf(island).adjusted(-near, -near, near, near).contains(at))
            return island;
    return std::nullopt;
}

void WaysPicture::drawWay(QPainter& painter, const QPointF& from, const QPointF& to) const
{
    const QPointF along = to - from;
    const double length = std::hypot(along.x(), along.y());
    if (length < badgeSide())
        return;
    const QPointF step = along / length, aside = QPointF(-step.y(), step.x());
    const QPointF begin = from + step * badgeSide() * 0.75 + aside * besideWay;
    const QPointF end = to - step * badgeSide() * 0.75 + aside * besideWay;
    painter.drawLine(begin, end);
    painter.drawLine(end, end - step * px(6) + aside * px(3));
    painter.drawLine(end, end - step * px(6) - aside * px(3));
}

void WaysPicture::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.secondary, 1.4));
    for (const auto& [from, to] : m_ways)
        if (std::ranges::find(m_islands, from) != m_islands.end()
            && std::ranges::find(m_islands, to) != m_islands.end())
            drawWay(painter, placeOf(from).center(), placeOf(to).center());
    if (m_from) {
        const auto there = islandAt(m_to);
        const bool goes = there && m_ways.contains({*m_from, *there});
        painter.setPen(QPen(goes ? t.bad : t.accent, 1.6, Qt::DashLine));
        drawWay(painter, placeOf(*m_from).center(), there ? placeOf(*there).center() : m_to);
    }
    for (const IslandId island : m_islands)
        drawBadge(painter, placeOf(island), island);
}

void WaysPicture::mousePressEvent(QMouseEvent* event)
{
    m_from = event->button() == Qt::LeftButton ? islandAt(event->position()) : std::nullopt;
    m_to = event->position();
    update();
}

void WaysPicture::mouseMoveEvent(QMouseEvent* event)
{
    m_to = event->position();
    setCursor(islandAt(m_to) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_from)
        update();
}

void WaysPicture::mouseReleaseEvent(QMouseEvent* event)
{
    const auto from = std::exchange(m_from, std::nullopt);
    const auto to = islandAt(event->position());
    update();
    if (from && to && *from != *to)
        Q_EMIT drawn(*from, *to);
}

} // namespace tilewright::ui
