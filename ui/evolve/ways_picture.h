// SPDX-License-Identifier: GPL-3.0-or-later
// Islands in a circle with the ways of migrants between them, drawn by dragging from one island to another. GUI thread.
#pragma once

#include "core/model/island_steering.h"

#include <QWidget>
#include <optional>
#include <set>
#include <vector>

namespace tilewright::ui {

class WaysPicture : public QWidget
{
    Q_OBJECT

public:
    explicit WaysPicture(std::vector<IslandId> islands, QWidget* parent = nullptr);
    void setWays(const std::set<MigrationPlan::Edge>& ways);
    /// Its badge, in the widget.
    QRectF placeOf(IslandId island) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// A way was drawn: one that is there already is meant to go.
    void drawn(tilewright::IslandId from, tilewright::IslandId to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::optional<IslandId> islandAt(const QPointF& at) const;
    void drawWay(QPainter& painter, const QPointF& from, const QPointF& to) const;

    std::vector<IslandId> m_islands;
    std::set<MigrationPlan::Edge> m_ways;
    std::optional<IslandId> m_from; ///< where the way that is being drawn begins
    QPointF m_to;
};

} // namespace tilewright::ui
