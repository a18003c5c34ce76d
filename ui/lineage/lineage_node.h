// SPDX-License-Identifier: GPL-3.0-or-later
// How one node looks: a shape by state, the colour of its score, a rim once confirmed. GUI thread.
#pragma once

#include "ui/lineage/lineage.h"

#include <QPixmap>
#include <QString>

class QPainter;

namespace tilewright::ui {

constexpr int nodeShades = 16;
constexpr int nodeLooks = 12;

/// `shade` is taken for looks that have a score. `radius` in pixels.
void drawNode(QPainter& painter, const QPointF& centre, qreal radius, NodeLook look, float shade, bool confirmed);
/// "new island best", "build failed", …: of the legend.
QString words(NodeLook look);

enum class NodeMark { Star, Pin, Ban };
/// A user's mark beside a node: a star above it to the right, a needle below it, a stroke through it.
void drawMark(QPainter& painter, const QPointF& centre, qreal radius, NodeMark mark);
QString words(NodeMark mark);

/// All nodes of one size, painted once: a row of squares of `side` device pixels.
struct NodeSprites {
    QPixmap row;
    int side = 0;
    qreal radius = 0, pixelRatio = 0;

    static NodeSprites make(qreal radius, qreal pixelRatio);
    /// Left end of the sprite in `row`, in device pixels.
    int leftOf(const LineageNode& node) const;
};

} // namespace tilewright::ui
