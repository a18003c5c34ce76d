// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a lineage without selection: bands, generations, edges, nodes; painted into one image, so that
// hovering and selecting only copy it. Three levels: squares in the pixels while nodes are small (where several share a
// pixel the best is seen), sprites, sprites with curved edges and names. GUI thread.
#pragma once

#include "ui/lineage/lineage_legend.h"
#include "ui/lineage/lineage_node.h"

#include <QImage>
#include <memory>
#include <set>

class QPainter;

namespace tilewright::ui {

/// What stands out; the rest is dimmed.
enum class Emphasis { All, Ancestry, Survivors };

struct LineageScene {
    std::shared_ptr<const Lineage> lineage = std::make_shared<const Lineage>();
    LineageCamera camera;
    QRectF area; ///< of the bands, in the widget; above stand the generations, at the left the letters
    Emphasis emphasis = Emphasis::All;
    std::vector<bool> inAncestry; ///< by node, of the selection
    std::set<IslandId> islands; ///< that the views are filtered to, the others are dimmed; empty: all

    bool shows(IslandId island) const { return islands.empty() || islands.contains(island); }
    bool isDimmed(int node) const;
    QPointF pixelOf(const LineageNode& node) const;
    qreal radius() const; ///< of a node, in pixels
    /// Where a label of this size stands beside its node: above it, or where it covers fewer nodes and is nearest to
    /// none but its own.
    QRectF labelBox(int node, const QSizeF& size) const;
    /// Whether another node is as near to that label as its own: a line has to say whose it is.
    bool isAmbiguous(int node, const QRectF& label) const;
    /// Nodes from … to of the columns in view; to is one behind.
    std::pair<int, int> columnsInView() const;
    std::pair<int, int> nodesInView() const;
    /// Those of them of the columns between two pixels: the few that a label may meet.
    std::pair<int, int> nodesAround(qreal left, qreal right) const;
    /// How many of them are of islands that are shown.
    int shownInView() const;
};

/// Node radii from which nodes are shapes, and from which they have names.
constexpr qreal shapeRadius = 3.5, nameRadius = 6;
/// Up to so many nodes none is drawn smaller than the shape that tells its state.
constexpr std::size_t mostReadable = 2000;
constexpr qreal leastReadable = shapeRadius;
/// More edges than these are drawn straight, or not at all: they would hide the nodes.
constexpr int mostCurves = 300, mostEdges = 2000;

/// Only the nodes, as squares: for the map.
QImage paintOverview(const LineageScene& scene, const QSize& size, qreal pixelRatio);
/// Sprites are kept by the caller between frames and made anew where they do not fit.
QImage paintLineage(const LineageScene& scene, const QSize& size, qreal pixelRatio, NodeSprites& sprites);
/// From a parent to its child, with the painter's pen: a curve, or a line where it is very long.
void drawEdge(QPainter& painter, const QPointF& from, const QPointF& to);
/// Those of the nodes that are in view, as sprites.
void paintNodes(
    QPainter& painter, const LineageScene& scene, const NodeSprites& sprites, const std::vector<int>& nodes);
/// All nodes in view, with what they are marked with.
void paintNodes(QPainter& painter, const LineageScene& scene, const NodeSprites& sprites);

} // namespace tilewright::ui
