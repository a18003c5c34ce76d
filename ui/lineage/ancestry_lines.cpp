// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/ancestry_lines.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {
namespace {

/// With more lines than these only the way over the first parents is drawn; with more than the second they are thin.
constexpr std::size_t mostLines = 150, mostThick = 40;

/// Whether any of it may be seen.
bool isInView(const LineageScene& scene, const QRectF& seen, int index)
{
    const Lineage& lineage = *scene.lineage;
    const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(index)];
    const LineageNode &a = lineage.nodes[static_cast<std::size_t>(edge.from)],
                      &b = lineage.nodes[static_cast<std::size_t>(edge.to)];
    return b.x >= seen.left() && a.x <= seen.right() && std::max(a.y, b.y) >= seen.top()
        && std::min(a.y, b.y) <= seen.bottom();
}

} // namespace

AncestryLines ancestryLines(const LineageScene& scene, int node, const std::vector<int>& ancestry)
{
    AncestryLines lines;
    if (node < 0)
        return lines;
    const Lineage& lineage = *scene.lineage;
    const QRectF seen = scene.camera.seen();
    for (const int one : ancestry)
        for (int i = lineage.edgeStart[static_cast<std::size_t>(one)];
             i < lineage.edgeStart[static_cast<std::size_t>(one) + 1]; ++i)
            if (isInView(scene, seen, i))
                lines.edges.push_back(i);
    if (lines.edges.size() <= mostLines)
        return lines;
    lines.edges.clear();
    lines.firstParentsOnly = true;
    for (auto at = static_cast<std::size_t>(node); lineage.edgeStart[at] < lineage.edgeStart[at + 1];) {
        const int first = lineage.edgeStart[at];
        if (isInView(scene, seen, first))
            lines.edges.push_back(first);
        at = static_cast<std::size_t>(lineage.edges[static_cast<std::size_t>(first)].from);
    }
    return lines;
}

void paintAncestry(QPainter& painter, const LineageScene& scene, const AncestryLines& lines, const NodeSprites& sprites)
{
    const Lineage& lineage = *scene.lineage;
    const bool shapes = scene.radius() >= shapeRadius;
    const qreal thick = shapes && lines.edges.size() <= mostThick ? 2 : 1;
    painter.setBrush(Qt::NoBrush);
    for (const int i : lines.edges) {
        const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(i)];
        const QPointF from = scene.pixelOf(lineage.nodes[static_cast<std::size_t>(edge.from)]),
                      to = scene.pixelOf(lineage.nodes[static_cast<std::size_t>(edge.to)]);
        painter.setPen(QPen(tokens().text, thick, edge.kind == EdgeKind::Migration ? Qt::DashLine : Qt::SolidLine));
        if (shapes)
            drawEdge(painter, from, to);
        else
            painter.drawLine(from, to);
    }
    if (shapes && !lines.edges.empty()) // no line hides a node that it passes
        paintNodes(painter, scene, sprites);
}

} // namespace tilewright::ui
