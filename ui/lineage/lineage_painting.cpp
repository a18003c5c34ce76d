// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_painting.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tilewright::ui {
namespace {

constexpr qreal dimmedOpacity = 0.25;

void paintBands(QPainter& painter, const LineageScene& scene, const QSize& size)
{
    const Tokens& t = tokens();
    const Lineage& lineage = *scene.lineage;
    for (int i = 0; i < lineage.islands; ++i) {
        const IslandId island = lineage.bands[static_cast<std::size_t>(i)];
        const double top = std::max(
            scene.camera.pixelOf({0, lineage.bandHeight() * i}).y() + scene.area.top() + 1, scene.area.top());
        const double bottom = std::min(
            scene.camera.pixelOf({0, lineage.bandHeight() * (i + 1)}).y() + scene.area.top() - 1, scene.area.bottom());
        if (bottom <= top)
            continue;
        painter.setOpacity(scene.shows(island) ? 1 : dimmedOpacity);
        QColor ground = islandColour(t, island);
        painter.fillRect(QRectF(0, top, px(3), bottom - top), ground);
        ground.setAlphaF(0.08F);
        painter.fillRect(QRectF(px(3), top, size.width() - px(3), bottom - top), ground);
        const double side = std::min<double>(px(15), bottom - top);
        if (side >= px(8))
            drawBadge(
                painter, QRectF(px(8), top + std::min<double>(px(4), (bottom - top - side) / 2), side, side), island);
    }
    painter.setOpacity(1);
}

void paintGenerations(QPainter& painter, const LineageScene& scene)
{
    const Lineage& lineage = *scene.lineage;
    painter.setFont(fontOf(Type::Tick));
    painter.setPen(tokens().secondary);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QRectF(0, 0, scene.area.left(), scene.area.top()), Qt::AlignCenter, QStringLiteral("gen"));
    const auto [first, last] = scene.columnsInView();
    double free = scene.area.left();
    for (int column = first; column < last; ++column) {
        const auto at = static_cast<std::size_t>(column);
        const double middle
            = scene.camera.pixelOf({(lineage.columnX[at] + lineage.columnX[at + 1]) / 2, 0}).x() + scene.area.left();
        const QString name = QString::number(column);
        const double wide = metrics.horizontalAdvance(name);
        if (middle - wide / 2 < free || middle + wide / 2 > scene.area.right())
            continue;
        painter.drawText(QRectF(middle - wide, 0, wide * 2, scene.area.top()), Qt::AlignCenter, name);
        free = middle + wide / 2 + px(14);
    }
}

std::vector<int> edgesInView(const LineageScene& scene)
{
    const Lineage& lineage = *scene.lineage;
    const auto [first, last] = scene.columnsInView();
    const QRectF seen = scene.camera.seen();
    std::vector<int> found;
    const auto take = [&](int index) {
        const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(index)];
        const LineageNode &a = lineage.nodes[static_cast<std::size_t>(edge.from)],
                          &b = lineage.nodes[static_cast<std::size_t>(edge.to)];
        if (std::max(a.y, b.y) >= seen.top() && std::min(a.y, b.y) <= seen.bottom())
            found.push_back(index);
    };
    // Edges into the columns in view and one more; what passes over them comes from the list of long ones.
    const auto islands = static_cast<std::size_t>(lineage.islands);
    const int from = lineage.cellStart[static_cast<std::size_t>(first) * islands];
    const int to = lineage.cellStart[static_cast<std::size_t>(std::min(last + 1, lineage.generations())) * islands];
    if (lineage.edgeStart[static_cast<std::size_t>(to)] - lineage.edgeStart[static_cast<std::size_t>(from)]
        > 8 * mostEdges)
        return found; // far too many to be drawn
    for (int i = lineage.edgeStart[static_cast<std::size_t>(from)]; i < lineage.edgeStart[static_cast<std::size_t>(to)];
         ++i)
        take(i);
    for (const int i : lineage.longEdges) {
        const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(i)];
        if (edge.to >= to && lineage.nodes[static_cast<std::size_t>(edge.from)].generation < last)
            take(i);
    }
    return found;
}

void paintEdges(QPainter& painter, const LineageScene& scene)
{
    const std::vector<int> edges = edgesInView(scene);
    if (edges.empty() || edges.size() > mostEdges)
        return;
    const Lineage& lineage = *scene.lineage;
    const bool curved = edges.size() <= mostCurves && scene.radius() >= shapeRadius;
    painter.setRenderHint(QPainter::Antialiasing, curved);
    // Quieter than the nodes and the ancestry, in high contrast, too.
    QColor ink = tokens().disabled, faint = tokens().disabled;
    const QColor dashes = tokens().disabled;
    ink.setAlphaF(0.5F);
    faint.setAlphaF(0.2F);
    constexpr std::array<std::pair<bool, bool>, 4> kinds{{{true, false}, {true, true}, {false, false}, {false, true}}};
    const bool allAreFaint = scene.emphasis != Emphasis::All, mayBeFaint = allAreFaint || !scene.islands.empty();
    for (const auto& [isFaint, dashed] : kinds) {
        if (isFaint ? !mayBeFaint : allAreFaint)
            continue; // there are none: no need to go through all edges
        painter.setPen(QPen(isFaint ? faint : dashed ? dashes : ink, 1, dashed ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        QVector<QLineF> lines;
        for (const int i : edges) {
            const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(i)];
            const LineageNode &from = lineage.nodes[static_cast<std::size_t>(edge.from)],
                              &to = lineage.nodes[static_cast<std::size_t>(edge.to)];
            const bool standsBack = allAreFaint || !scene.shows(from.island) || !scene.shows(to.island);
            if ((edge.kind == EdgeKind::Migration) != dashed || standsBack != isFaint)
                continue;
            const QPointF a = scene.pixelOf(from), b = scene.pixelOf(to);
            if (curved)
                drawEdge(painter, a, b);
            else
                lines.append({a, b});
        }
        painter.drawLines(lines);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

/// One square a node, into the pixels. Of those that share pixels the highest score is seen; all others go below.
void paintSquares(QImage& image, const LineageScene& scene, qreal pixelRatio)
{
    const Lineage& lineage = *scene.lineage;
    const QRect area
        = QRectF(scene.area.topLeft() * pixelRatio, scene.area.size() * pixelRatio).toRect().intersected(image.rect());
    if (area.isEmpty())
        return;
    const Tokens& t = tokens();
    const auto faded = [&t](const QColor& colour) {
        const auto mix = [](int a, int b) { return (a + 3 * b) / 4; };
        return qRgb(
            mix(colour.red(), t.panel.red()), mix(colour.green(), t.panel.green()), mix(colour.blue(), t.panel.blue()));
    };
    std::array<std::array<QRgb, nodeShades + 1>, 2> colours{};
    for (int i = 0; i < nodeShades; ++i) {
        const QColor colour = scoreColour(t, (i + 0.5) / nodeShades);
        colours[0][static_cast<std::size_t>(i) + 1] = colour.rgb();
        colours[1][static_cast<std::size_t>(i) + 1] = faded(colour);
    }
    colours[0][0] = t.strongBorder.rgb();
    colours[1][0] = faded(t.strongBorder);
    const auto side = [](double scale) { return std::max(1, static_cast<int>(std::floor(scale * 0.72))); };
    const int wide = side(scene.camera.scaleX() * pixelRatio), high = side(scene.camera.scaleY() * pixelRatio);
    const int square = std::min({wide, high, static_cast<int>(2 * shapeRadius * pixelRatio)});
    std::vector<std::uint8_t> rank(static_cast<std::size_t>(area.width()) * static_cast<std::size_t>(area.height()), 0);
    // Long lineages pass here whole: the way from units to pixels is worked out once, and the picture's memory is taken
    // once, not at each node.
    const double scaleX = scene.camera.scaleX() * pixelRatio, scaleY = scene.camera.scaleY() * pixelRatio;
    const QPointF origin = (scene.camera.pixelOf({0, 0}) + scene.area.topLeft()) * pixelRatio;
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto pixelsALine = static_cast<std::ptrdiff_t>(image.bytesPerLine()) / std::ptrdiff_t{sizeof(QRgb)};
    const int fromX = area.left(), toX = area.right() + 1, fromY = area.top(), toY = area.bottom() + 1;
    const bool mayBeDimmed = scene.emphasis != Emphasis::All || !scene.islands.empty();
    const auto [first, last] = scene.nodesInView();
    for (int i = first; i < last; ++i) {
        const LineageNode& node = lineage.nodes[static_cast<std::size_t>(i)];
        const int x0 = static_cast<int>(node.x * scaleX + origin.x()) - square / 2;
        const int y0 = static_cast<int>(node.y * scaleY + origin.y()) - square / 2;
        const int left = std::max(x0, fromX), right = std::min(x0 + square, toX);
        const int top = std::max(y0, fromY), bottom = std::min(y0 + square, toY);
        if (left >= right || top >= bottom)
            continue;
        const bool dimmed = mayBeDimmed && scene.isDimmed(i);
        const int shade
            = node.shade < 0 ? 0 : 1 + std::clamp(static_cast<int>(node.shade * nodeShades), 0, nodeShades - 1);
        const auto value = static_cast<std::uint8_t>(1 + shade + (dimmed ? 0 : nodeShades + 1));
        const QRgb colour = colours[dimmed ? 1 : 0][static_cast<std::size_t>(shade)];
        for (int y = top; y < bottom; ++y) {
            QRgb* line = pixels + y * pixelsALine;
            std::uint8_t* held = &rank[static_cast<std::size_t>(y - fromY) * static_cast<std::size_t>(area.width())];
            for (int x = left; x < right; ++x)
                if (std::uint8_t& before = held[x - fromX]; before < value) {
                    before = value;
                    line[x] = colour;
                }
        }
    }
}

} // namespace

void drawEdge(QPainter& painter, const QPointF& from, const QPointF& to)
{
    constexpr double longest = 1500; // pixels; beyond, nobody sees the bend and the rasteriser walks all of it
    const double wide = to.x() - from.x();
    if (wide > longest) {
        painter.drawLine(from, to);
        return;
    }
    QPainterPath path(from);
    path.cubicTo(from + QPointF(wide / 2, 0), to - QPointF(wide / 2, 0), to);
    painter.drawPath(path); // one by one: a single path of all would be made free of overlaps first
}

void paintNodes(QPainter& painter, const LineageScene& scene, const NodeSprites& sprites, const std::vector<int>& nodes)
{
    const double half = sprites.side / sprites.pixelRatio / 2;
    const QRectF reach = scene.area.adjusted(-half, -half, half, half);
    QVector<QPainter::PixmapFragment> fragments;
    for (const int i : nodes) {
        const LineageNode& node = scene.lineage->nodes[static_cast<std::size_t>(i)];
        const QPointF at = scene.pixelOf(node);
        if (!reach.contains(at))
            continue;
        fragments.append(
            QPainter::PixmapFragment::create(at, QRectF(sprites.leftOf(node), 0, sprites.side, sprites.side),
                1 / sprites.pixelRatio, 1 / sprites.pixelRatio, 0, scene.isDimmed(i) ? dimmedOpacity : 1));
    }
    painter.drawPixmapFragments(fragments.constData(), static_cast<int>(fragments.size()), sprites.row);
}

bool LineageScene::isDimmed(int node) const
{
    const auto at = static_cast<std::size_t>(node);
    if (!shows(lineage->nodes[at].island))
        return true;
    switch (emphasis) {
    case Emphasis::All:
        return false;
    case Emphasis::Ancestry:
        return at >= inAncestry.size() || !inAncestry[at];
    case Emphasis::Survivors:
        break;
    }
    return !lineage->nodes[at].survives;
}

QPointF LineageScene::pixelOf(const LineageNode& node) const
{
    return camera.pixelOf({node.x, node.y}) + area.topLeft();
}

qreal LineageScene::radius() const
{
    const double unit = std::min(camera.scaleX(), camera.scaleY());
    const double least = lineage->nodes.size() <= mostReadable ? leastReadable : 0.5; // they may overlap
    return std::clamp(std::floor(unit * 0.36 * 2) / 2, least, 8.0); // in halves: sprites are made anew less often
}

namespace {
double distanceTo(const QRectF& box, const QPointF& at)
{
    return std::hypot(std::max({box.left() - at.x(), at.x() - box.right(), 0.0}),
        std::max({box.top() - at.y(), at.y() - box.bottom(), 0.0}));
}
} // namespace

QRectF LineageScene::labelBox(int node, const QSizeF& size) const
{
    const QPointF centre = pixelOf(lineage->nodes[static_cast<std::size_t>(node)]);
    const double away = radius() + px(8), reach = radius() + 1;
    const double sideways = size.width() / 2 + away, upright = size.height() / 2 + away;
    const std::array<QPointF, 8> ways{QPointF(0, -upright), QPointF(0, upright), QPointF(sideways, 0),
        QPointF(-sideways, 0), QPointF(sideways, -upright), QPointF(-sideways, -upright), QPointF(sideways, upright),
        QPointF(-sideways, upright)};
    std::array<QRectF, ways.size()> boxes;
    std::array<int, ways.size()> covered{};
    for (std::size_t i = 0; i < ways.size(); ++i) {
        boxes[i] = QRectF(QPointF(), size);
        boxes[i].moveCenter(centre + ways[i]);
        boxes[i].moveLeft(std::clamp(boxes[i].left(), area.left(), std::max(area.left(), area.right() - size.width())));
        boxes[i].moveTop(std::clamp(boxes[i].top(), area.top(), std::max(area.top(), area.bottom() - size.height())));
    }
    const auto [first, last] = nodesAround(centre.x() - 2 * sideways, centre.x() + 2 * sideways);
    for (int other = first; other < last; ++other) {
        const QPointF at = pixelOf(lineage->nodes[static_cast<std::size_t>(other)]);
        if (std::abs(at.x() - centre.x()) > 2 * sideways || std::abs(at.y() - centre.y()) > 2 * upright)
            continue;
        const QRectF drawn(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            covered[i] += boxes[i].intersects(drawn) * (other == node ? 100 : 1);
            if (other != node && distanceTo(boxes[i], at) <= distanceTo(boxes[i], centre))
                covered[i] += 2; // it would be read as the other's name
        }
    }
    return boxes[static_cast<std::size_t>(std::ranges::min_element(covered) - covered.begin())];
}

bool LineageScene::isAmbiguous(int node, const QRectF& label) const
{
    const double own = distanceTo(label, pixelOf(lineage->nodes[static_cast<std::size_t>(node)]));
    const auto [first, last] = nodesAround(label.left() - own, label.right() + own);
    for (int other = first; other < last; ++other)
        if (other != node && distanceTo(label, pixelOf(lineage->nodes[static_cast<std::size_t>(other)])) <= own)
            return true;
    return false;
}

std::pair<int, int> LineageScene::columnsInView() const
{
    if (lineage->empty())
        return {0, 0};
    const QRectF seen = camera.seen();
    return {std::max(lineage->columnAt(static_cast<float>(seen.left())), 0),
        lineage->columnAt(static_cast<float>(seen.right())) + 1};
}

std::pair<int, int> LineageScene::nodesInView() const
{
    const auto [first, last] = columnsInView();
    const auto islands = static_cast<std::size_t>(lineage->islands);
    return lineage->empty() ? std::pair(0, 0)
                            : std::pair(lineage->cellStart[static_cast<std::size_t>(first) * islands],
                                lineage->cellStart[static_cast<std::size_t>(last) * islands]);
}

std::pair<int, int> LineageScene::nodesAround(qreal left, qreal right) const
{
    const auto [first, last] = nodesInView();
    const auto edgeAt = [this](qreal pixel, int further) {
        const float unit = static_cast<float>(camera.unitAt(QPointF(pixel, area.top()) - area.topLeft()).x());
        const int column
            = std::clamp(lineage->columnAt(unit) + further, 0, static_cast<int>(lineage->columnX.size()) - 1);
        return lineage->cellStart[static_cast<std::size_t>(column) * static_cast<std::size_t>(lineage->islands)];
    };
    return first == last
        ? std::pair(first, last)
        : std::pair(std::clamp(edgeAt(left, 0), first, last), std::clamp(edgeAt(right, 1), first, last));
}

int LineageScene::shownInView() const
{
    const auto [first, last] = nodesInView();
    if (islands.empty())
        return last - first;
    return static_cast<int>(std::count_if(lineage->nodes.begin() + first, lineage->nodes.begin() + last,
        [this](const LineageNode& node) { return shows(node.island); }));
}

namespace {

/// Few candidates are marked: each is drawn by itself.
void paintMarks(QPainter& painter, const LineageScene& scene)
{
    const auto [first, last] = scene.nodesInView();
    for (int i = first; i < last; ++i) {
        const LineageNode& node = scene.lineage->nodes[static_cast<std::size_t>(i)];
        const std::pair<bool, NodeMark> marks[]
            = {{node.banned, NodeMark::Ban}, {node.pinned, NodeMark::Pin}, {node.starred, NodeMark::Star}};
        painter.setOpacity(scene.shows(node.island) ? 1 : dimmedOpacity);
        for (const auto& [isMarked, mark] : marks)
            if (isMarked)
                drawMark(painter, scene.pixelOf(node), scene.radius(), mark);
    }
    painter.setOpacity(1);
}

} // namespace

void paintNodes(QPainter& painter, const LineageScene& scene, const NodeSprites& sprites)
{
    const auto [first, last] = scene.nodesInView();
    std::vector<int> nodes(static_cast<std::size_t>(last - first));
    std::iota(nodes.begin(), nodes.end(), first);
    paintNodes(painter, scene, sprites, nodes);
    paintMarks(painter, scene);
}

QImage paintOverview(const LineageScene& scene, const QSize& size, qreal pixelRatio)
{
    QImage image(size * pixelRatio, QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(tokens().window);
    paintSquares(image, scene, pixelRatio);
    return image;
}

QImage paintLineage(const LineageScene& scene, const QSize& size, qreal pixelRatio, NodeSprites& sprites)
{
    QImage image(size * pixelRatio, QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(tokens().panel);
    const bool shapes = scene.radius() >= shapeRadius;
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        if (!scene.lineage->empty()) {
            paintBands(painter, scene, size);
            paintGenerations(painter, scene);
            painter.setClipRect(scene.area);
            paintEdges(painter, scene);
            if (shapes) {
                if (sprites.radius != scene.radius() || sprites.pixelRatio != pixelRatio)
                    sprites = NodeSprites::make(scene.radius(), pixelRatio);
                paintNodes(painter, scene, sprites);
            }
        }
    }
    if (!shapes)
        paintSquares(image, scene, pixelRatio);
    return image;
}

} // namespace tilewright::ui
