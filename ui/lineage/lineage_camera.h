// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a plane is seen, and how large. Pure. Zooming keeps the point under the pointer where it is; the plane
// never leaves the view.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace tilewright::ui {

class LineageCamera
{
public:
    /// Size of the plane in units and of the view in pixels. What a person zoomed to stays as large; else all is seen.
    void setSizes(const QSizeF& plane, const QSizeF& view);
    void fit();
    /// Above 1: closer. The factor is cut so that neither more than everything nor less than a few nodes are seen.
    void zoom(double factor, const QPointF& at);
    void pan(const QPointF& pixels);
    void centreOn(const QPointF& unit);
    /// Moves as little as needed to have that point in view, `margin` pixels from the edges.
    void reveal(const QPointF& unit, double margin);

    QPointF pixelOf(const QPointF& unit) const;
    QPointF unitAt(const QPointF& pixel) const;
    QRectF seen() const; ///< in units
    double scaleX() const { return m_scaleX; } ///< pixels a unit
    double scaleY() const { return m_scaleY; }
    bool isFitted() const { return !m_moved; }
    const QSizeF& plane() const { return m_plane; }

    bool operator==(const LineageCamera&) const = default;

private:
    QSizeF fitScale() const;
    void settle();

    QSizeF m_plane{1, 1}, m_view{1, 1};
    double m_scaleX = 1, m_scaleY = 1, m_left = 0, m_top = 0;
    bool m_moved = false; ///< a person zoomed or panned
};

} // namespace tilewright::ui
