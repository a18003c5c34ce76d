// SPDX-License-Identifier: GPL-3.0-or-later
// What shapes, lines and colours of the lineage mean, in as many rows as the width asks for. Where there is room for
// fewer, what does not occur goes first; what went is named in its tooltip. GUI thread.
#pragma once

#include "ui/lineage/lineage_node.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QWidget>
#include <functional>
#include <set>

namespace tilewright::ui {

class LineageLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LineageLegend(QWidget* parent = nullptr);
    /// Its scale of shades, which is left out where it has none, and what occurs in it.
    void setLineage(const Lineage& lineage);
    /// What it says for want of room in its tooltip alone.
    const QStringList& leftOut() const { return m_leftOut; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::optional<ScoreScale> m_scale;
    std::set<NodeLook> m_looks; ///< that occur
    std::set<NodeMark> m_marks;
    struct Placed {
        QString name;
        int sign;
        std::function<void(QPainter&, const QPointF&)> draw;
        QPointF at;
    };
    std::vector<Placed> m_placed;
    QStringList m_leftOut;
};

// Which part of a plane is seen, and how large. Pure. Zooming keeps the point under the pointer where it is; the plane
// never leaves the view.

class LineageCamera
{
public:
    /// Size of the plane in units and of the view in pixels. What a user zoomed to stays as large; else all is seen.
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
    bool m_moved = false; ///< a user zoomed or panned
};

} // namespace tilewright::ui
