// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_camera.h"

#include <algorithm>

namespace tilewright::ui {

namespace {
constexpr double widest = 44, highest = 30; // pixels a unit: the closest view
}

QSizeF LineageCamera::fitScale() const
{
    return {std::min(m_view.width() / m_plane.width(), widest), std::min(m_view.height() / m_plane.height(), highest)};
}

void LineageCamera::setSizes(const QSizeF& plane, const QSizeF& view)
{
    m_plane = plane.expandedTo({1, 1});
    m_view = view.expandedTo({1, 1});
    if (!m_moved)
        fit();
    else
        settle();
}

void LineageCamera::fit()
{
    m_moved = false;
    m_scaleX = fitScale().width();
    m_scaleY = fitScale().height();
    m_left = m_top = 0;
    settle();
}

void LineageCamera::zoom(double factor, const QPointF& at)
{
    const QPointF fixed = unitAt(at);
    const QSizeF least = fitScale();
    m_scaleX = std::clamp(m_scaleX * factor, least.width(), widest);
    m_scaleY = std::clamp(m_scaleY * factor, least.height(), highest);
    m_left = fixed.x() - at.x() / m_scaleX;
    m_top = fixed.y() - at.y() / m_scaleY;
    m_moved = m_scaleX > least.width() || m_scaleY > least.height();
    settle();
}

void LineageCamera::pan(const QPointF& pixels)
{
    m_left -= pixels.x() / m_scaleX;
    m_top -= pixels.y() / m_scaleY;
    settle();
}

void LineageCamera::centreOn(const QPointF& unit)
{
    m_left = unit.x() - m_view.width() / m_scaleX / 2;
    m_top = unit.y() - m_view.height() / m_scaleY / 2;
    settle();
}

void LineageCamera::reveal(const QPointF& unit, double margin)
{
    const QPointF at = pixelOf(unit);
    const auto beyond = [margin](double where, double size) {
        return where < margin ? margin - where : where > size - margin ? size - margin - where : 0.0;
    };
    pan({beyond(at.x(), m_view.width()), beyond(at.y(), m_view.height())});
}

void LineageCamera::settle()
{
    const double wide = m_view.width() / m_scaleX, high = m_view.height() / m_scaleY;
    m_left = wide >= m_plane.width() ? 0 : std::clamp(m_left, 0.0, m_plane.width() - wide);
    m_top = high >= m_plane.height() ? (m_plane.height() - high) / 2 : std::clamp(m_top, 0.0, m_plane.height() - high);
}

QPointF LineageCamera::pixelOf(const QPointF& unit) const
{
    return {(unit.x() - m_left) * m_scaleX, (unit.y() - m_top) * m_scaleY};
}

QPointF LineageCamera::unitAt(const QPointF& pixel) const
{
    return {m_left + pixel.x() / m_scaleX, m_top + pixel.y() / m_scaleY};
}

QRectF LineageCamera::seen() const { return {m_left, m_top, m_view.width() / m_scaleX, m_view.height() / m_scaleY}; }

} // namespace tilewright::ui
