// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/marker.h"

#include "ui/theme/theme.h"
#include "ui/theme/words.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <array>
#include <cmath>
#include <numbers>

namespace tilewright::ui {
namespace {

/// Corners around the centre, the first one at the top.
QPainterPath polygon(const QPointF& centre, int corners, qreal outer, qreal inner)
{
    QPainterPath path;
    const int steps = inner > 0 ? 2 * corners : corners;
    for (int i = 0; i < steps; ++i) {
        const double angle = 2 * std::numbers::pi * i / steps - std::numbers::pi / 2;
        const qreal radius = inner > 0 && i % 2 == 1 ? inner : outer;
        const QPointF at = centre + radius * QPointF(std::cos(angle), std::sin(angle));
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    path.closeSubpath();
    return path;
}

QPainterPath pathOf(MarkerShape shape, const QPointF& centre, qreal radius)
{
    QPainterPath path;
    switch (shape) {
    case MarkerShape::Circle:
        path.addEllipse(centre, radius, radius);
        return path;
    case MarkerShape::Square:
        path.addRect(centre.x() - 0.86 * radius, centre.y() - 0.86 * radius, 1.72 * radius, 1.72 * radius);
        return path;
    case MarkerShape::Diamond:
        return polygon(centre, 4, 1.15 * radius, 0);
    case MarkerShape::Triangle:
        return polygon(centre + QPointF(0, 0.15 * radius), 3, 1.15 * radius, 0);
    case MarkerShape::Down: {
        QTransform turned;
        turned.translate(centre.x(), centre.y() - 0.15 * radius).rotate(180);
        return turned.map(polygon({}, 3, 1.15 * radius, 0));
    }
    case MarkerShape::Pentagon:
        return polygon(centre, 5, 1.05 * radius, 0);
    case MarkerShape::Star:
        return polygon(centre, 5, 1.2 * radius, 0.5 * radius);
    case MarkerShape::Cross:
        break;
    }
    const qreal arm = 0.8 * radius;
    path.moveTo(centre + QPointF(-arm, -arm));
    path.lineTo(centre + QPointF(arm, arm));
    path.moveTo(centre + QPointF(-arm, arm));
    path.lineTo(centre + QPointF(arm, -arm));
    return path;
}

} // namespace

Marker markerOf(int place)
{
    // The first two as different as two hues of the palette can be.
    constexpr std::array shapes{MarkerShape::Circle, MarkerShape::Square, MarkerShape::Diamond, MarkerShape::Down,
        MarkerShape::Pentagon, MarkerShape::Star};
    constexpr std::array hues{2, 1, 3, 4, 6, 5};
    const auto at = static_cast<std::size_t>(place) % shapes.size();
    return {shapes[at], hues[at]};
}

QColor colourOf(const Marker& marker)
{
    const Tokens& t = tokens();
    if (marker.hue == vendorHue)
        return t.text;
    if (marker.hue == baselineHue)
        return t.secondary;
    if (marker.hue == otherHue)
        return t.tertiary;
    return islandColour(t, IslandId{std::max(marker.hue, 1)});
}

QString words(MarkerShape shape)
{
    switch (shape) {
    case MarkerShape::Circle:
        return tr("circle");
    case MarkerShape::Square:
        return tr("square");
    case MarkerShape::Diamond:
        return tr("diamond");
    case MarkerShape::Down:
        return tr("triangle downwards");
    case MarkerShape::Pentagon:
        return tr("pentagon");
    case MarkerShape::Star:
        return tr("star");
    case MarkerShape::Triangle:
        return tr("triangle");
    case MarkerShape::Cross:
        break;
    }
    return tr("cross");
}

void drawMarker(QPainter& painter, const QPointF& centre, qreal size, const Marker& marker, qreal strength)
{
    QColor colour = colourOf(marker);
    colour.setAlphaF(static_cast<float>(strength));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QPainterPath path = pathOf(marker.shape, centre, size / 2);
    if (marker.shape == MarkerShape::Cross)
        painter.strokePath(path, QPen(colour, std::max(1.2, size / 6), Qt::SolidLine, Qt::RoundCap));
    else
        painter.fillPath(path, colour);
    painter.restore();
}

QIcon markerIcon(const Marker& marker)
{
    const qreal ratio = qApp->devicePixelRatio();
    const int side = px(12);
    QPixmap image(QSize(side, side) * ratio);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    drawMarker(painter, QPointF(side / 2.0, side / 2.0), side - 3, marker);
    return QIcon(image);
}

} // namespace tilewright::ui
