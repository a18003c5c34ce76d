// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_view.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {
constexpr int nearPixels = 12;
constexpr double step = 1.25;
} // namespace

LineageView::LineageView(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(px(260), px(96));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_sprites = {};
        changed();
    });
}

void LineageView::show(std::shared_ptr<const Lineage> lineage)
{
    const bool other = lineage->nodes.size() < m_scene.lineage->nodes.size();
    m_scene.lineage = std::move(lineage);
    if (other)
        m_scene.camera.fit();
    trace();
    measure();
}

void LineageView::setMessage(const QString& message)
{
    if (m_message == message)
        return;
    m_message = message;
    update();
}

void LineageView::setSelected(CandidateId candidate)
{
    const LineageCamera before = m_scene.camera;
    if (const int node = m_scene.lineage->nodeOf(candidate); node >= 0 && !m_scene.camera.isFitted()) {
        const LineageNode& at = m_scene.lineage->nodes[static_cast<std::size_t>(node)];
        m_scene.camera.reveal({at.x, at.y}, px(28));
    }
    if (candidate == m_selected && m_scene.camera == before)
        return;
    m_selected = candidate;
    trace();
    changed();
}

void LineageView::setReference(CandidateId candidate)
{
    m_reference = candidate;
    update();
}

void LineageView::setHovered(CandidateId candidate)
{
    m_hovered = candidate;
    update();
}

void LineageView::setEmphasis(Emphasis emphasis)
{
    m_scene.emphasis = emphasis;
    changed();
}

void LineageView::setIslands(const std::set<IslandId>& islands)
{
    m_scene.islands = islands;
    changed();
}

void LineageView::fit()
{
    m_scene.camera.fit();
    changed();
}

void LineageView::zoomBy(double factor)
{
    const int node = m_scene.lineage->nodeOf(m_selected);
    const QPointF selected
        = node < 0 ? QPointF() : m_scene.pixelOf(m_scene.lineage->nodes[static_cast<std::size_t>(node)]);
    const bool around = node >= 0 && m_scene.area.contains(selected);
    m_scene.camera.zoom(factor, (around ? selected : m_scene.area.center()) - m_scene.area.topLeft());
    changed();
}

void LineageView::centreOn(const QPointF& unit)
{
    m_scene.camera.centreOn(unit);
    changed();
}

QPoint LineageView::placeOf(CandidateId candidate) const
{
    const int node = m_scene.lineage->nodeOf(candidate);
    return node < 0 ? QPoint(-1, -1)
                    : m_scene.pixelOf(m_scene.lineage->nodes[static_cast<std::size_t>(node)]).toPoint();
}

void LineageView::changed()
{
    m_shown = {};
    m_lines = ancestryLines(m_scene, m_scene.lineage->nodeOf(m_selected), m_ancestry);
    update();
    Q_EMIT viewChanged();
}

void LineageView::measure()
{
    m_scene.area = QRectF(px(30), px(22), std::max(width() - px(38), 1), std::max(height() - px(26), 1));
    m_scene.camera.setSizes({m_scene.lineage->width(), m_scene.lineage->height()}, m_scene.area.size());
    changed();
}

void LineageView::trace()
{
    m_ancestry = m_scene.lineage->ancestry(m_scene.lineage->nodeOf(m_selected));
    m_scene.inAncestry.assign(m_scene.lineage->nodes.size(), false);
    for (const int node : m_ancestry)
        m_scene.inAncestry[static_cast<std::size_t>(node)] = true;
}

int LineageView::nodeNear(const QPointF& pixel) const
{
    if (!m_scene.area.contains(pixel))
        return -1;
    const QPointF unit = m_scene.camera.unitAt(pixel - m_scene.area.topLeft());
    const int hit = m_scene.lineage->nodeAt(static_cast<float>(unit.x()), static_cast<float>(unit.y()));
    if (hit < 0)
        return -1;
    const QPointF away = m_scene.pixelOf(m_scene.lineage->nodes[static_cast<std::size_t>(hit)]) - pixel;
    return std::hypot(away.x(), away.y()) <= std::max<double>(px(nearPixels), m_scene.radius()) ? hit : -1;
}

void LineageView::resizeEvent(QResizeEvent*) { measure(); }

void LineageView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = m_dragged = event->position();
    m_dragging = false;
}

void LineageView::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton)) {
        Q_EMIT hovered(nodeNear(event->position()), event->position().toPoint());
        return;
    }
    if (!m_dragging && (event->position() - m_pressed).manhattanLength() <= 4)
        return;
    m_dragging = true;
    Q_EMIT hovered(-1, {});
    m_scene.camera.pan(event->position() - m_dragged);
    m_dragged = event->position();
    changed();
}

void LineageView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_dragging)
        return;
    const int node = nodeNear(event->position());
    if (node >= 0 && m_scene.lineage->nodes[static_cast<std::size_t>(node)].candidate)
        Q_EMIT chosen(m_scene.lineage->nodes[static_cast<std::size_t>(node)].candidate);
}

void LineageView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (m_selected)
            Q_EMIT menuRequested(m_selected, mapToGlobal(placeOf(m_selected)));
        return;
    }
    const int node = nodeNear(event->pos());
    const CandidateId candidate
        = node >= 0 ? m_scene.lineage->nodes[static_cast<std::size_t>(node)].candidate : CandidateId{};
    if (candidate)
        Q_EMIT menuRequested(candidate, event->globalPos());
}

void LineageView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_scene.camera.zoom(step * step * step, event->position() - m_scene.area.topLeft());
    changed();
}

void LineageView::wheelEvent(QWheelEvent* event)
{
    m_scene.camera.zoom(std::pow(step, event->angleDelta().y() / 120.0), event->position() - m_scene.area.topLeft());
    event->accept();
    changed();
}

void LineageView::leaveEvent(QEvent*) { Q_EMIT hovered(-1, {}); }

CandidateId LineageView::neighbour(int key) const
{
    const Lineage& lineage = *m_scene.lineage;
    const int node = lineage.nodeOf(m_selected);
    if (node < 0)
        return lineage.nodes.empty() ? CandidateId{} : lineage.nodes.front().candidate;
    const auto at = static_cast<std::size_t>(node);
    if (key == Qt::Key_Left)
        return lineage.edgeStart[at] == lineage.edgeStart[at + 1]
            ? CandidateId{}
            : lineage
                  .nodes[static_cast<std::size_t>(lineage.edges[static_cast<std::size_t>(lineage.edgeStart[at])].from)]
                  .candidate;
    if (key == Qt::Key_Right) {
        const LineageNode* best = nullptr;
        for (const LineageEdge& edge : lineage.edges)
            if (const LineageNode& child = lineage.nodes[static_cast<std::size_t>(edge.to)];
                edge.from == node && child.candidate && (!best || child.shade > best->shade))
                best = &child;
        return best ? best->candidate : CandidateId{};
    }
    // Up and down the column, over the bands; what is no candidate is passed over.
    for (int next = node + (key == Qt::Key_Up ? -1 : 1); next >= 0 && next < static_cast<int>(lineage.nodes.size())
         && lineage.nodes[static_cast<std::size_t>(next)].generation == lineage.nodes[at].generation;
         next += key == Qt::Key_Up ? -1 : 1)
        if (lineage.nodes[static_cast<std::size_t>(next)].candidate)
            return lineage.nodes[static_cast<std::size_t>(next)].candidate;
    return {};
}

void LineageView::keyPressEvent(QKeyEvent* event)
{
    const bool pans = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_Plus:
        zoomBy(step);
        break;
    case Qt::Key_Minus:
        zoomBy(1 / step);
        break;
    case Qt::Key_0:
        fit();
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (pans) {
            const int dx = event->key() == Qt::Key_Left ? 1 : event->key() == Qt::Key_Right ? -1 : 0;
            const int dy = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
            m_scene.camera.pan(QPointF(dx * px(60), dy * px(40)));
            changed();
        } else if (const CandidateId next = neighbour(event->key())) {
            Q_EMIT chosen(next);
        }
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LineageView::paintMarks(QPainter& painter) const
{
    const Lineage& lineage = *m_scene.lineage;
    const Tokens& t = tokens();
    const qreal radius = std::max(m_scene.radius(), 3.0);
    const auto ring = [&](int node, const QColor& colour, qreal wider) {
        if (node < 0)
            return;
        painter.setPen(QPen(colour, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(
            m_scene.pixelOf(lineage.nodes[static_cast<std::size_t>(node)]), radius + wider, radius + wider);
    };
    ring(lineage.best, t.accent, 3);
    ring(lineage.best, t.accent, 6);
    ring(lineage.nodeOf(m_reference), t.secondary, 4);
    ring(lineage.nodeOf(m_hovered), t.secondary, 3);
    ring(lineage.nodeOf(m_selected), t.text, 4);
    painter.setFont(fontOf(Type::Mono));
    const QFontMetricsF metrics(painter.font());
    const auto name = [&](int node) {
        if (node < 0)
            return;
        const LineageNode& at = lineage.nodes[static_cast<std::size_t>(node)];
        const QPointF centre = m_scene.pixelOf(at);
        if (!m_scene.area.contains(centre))
            return;
        const QString shown = nameOfCandidate(at.candidate);
        const QRectF box = m_scene.labelBox(node, {metrics.horizontalAdvance(shown) + px(6), metrics.height()});
        if (m_scene.isAmbiguous(node, box)) {
            const QPointF near(
                std::clamp(centre.x(), box.left(), box.right()), std::clamp(centre.y(), box.top(), box.bottom()));
            const QLineF away(centre, near);
            painter.setPen(QPen(t.text, 1));
            painter.drawLine(away.pointAt(std::min(1.0, (radius + 4) / std::max(away.length(), 1.0))), near);
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.panel);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(t.text);
        painter.drawText(box, Qt::AlignCenter, shown);
    };
    if (m_scene.radius() >= shapeRadius && m_selected != m_hovered)
        name(lineage.nodeOf(m_hovered));
    name(lineage.nodeOf(m_selected));
}

void LineageView::paintEvent(QPaintEvent*)
{
    if (m_shown.isNull()) {
        m_shown = paintLineage(m_scene, size(), devicePixelRatioF(), m_sprites);
        QPainter over(&m_shown);
        over.setRenderHint(QPainter::Antialiasing, m_scene.radius() >= shapeRadius);
        over.setClipRect(m_scene.area);
        paintAncestry(over, m_scene, m_lines, m_sprites);
    }
    QPainter painter(this);
    painter.drawImage(0, 0, m_shown);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_scene.lineage->empty()) {
        painter.setFont(fontOf(Type::Prose));
        painter.setPen(tokens().secondary);
        painter.drawText(rect().adjusted(px(12), 0, -px(12), 0), Qt::AlignCenter | Qt::TextWordWrap, m_message);
    } else {
        paintMarks(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

LineageMap::LineageMap(LineageView* view)
    : m_view(view)
{
    setObjectName(QStringLiteral("lineageMap"));
    setAccessibleName(tr("Overview of the lineage; the frame marks the visible part"));
    setFixedSize(sizeHint());
    connect(view, &LineageView::viewChanged, this, [this] { update(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_picture = {};
        update();
    });
}

QSize LineageMap::sizeHint() const { return {px(160), px(48)}; }

LineageScene LineageMap::whole() const
{
    LineageScene scene;
    scene.lineage = m_view->scene().lineage;
    scene.area = QRectF(rect()).adjusted(1, 1, -1, -1);
    scene.camera.setSizes({scene.lineage->width(), scene.lineage->height()}, scene.area.size());
    return scene;
}

void LineageMap::paintEvent(QPaintEvent*)
{
    const LineageScene scene = whole();
    if (m_picture.isNull() || m_shown.lock() != scene.lineage) {
        m_shown = scene.lineage;
        m_picture = paintOverview(scene, size(), devicePixelRatioF());
    }
    QPainter painter(this);
    painter.drawImage(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(tokens().border);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (scene.lineage->empty())
        return;
    const QRectF seen = m_view->scene().camera.seen();
    const QRectF frame(scene.camera.pixelOf(seen.topLeft()) + scene.area.topLeft(),
        scene.camera.pixelOf(seen.bottomRight()) + scene.area.topLeft());
    painter.setPen(QPen(tokens().accent, 1.5));
    painter.drawRoundedRect(frame.intersected(scene.area), 2, 2);
}

void LineageMap::moveTo(const QPointF& pixel)
{
    const LineageScene scene = whole();
    if (!scene.lineage->empty())
        m_view->centreOn(scene.camera.unitAt(pixel - scene.area.topLeft()));
}

void LineageMap::mousePressEvent(QMouseEvent* event) { moveTo(event->position()); }

void LineageMap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        moveTo(event->position());
}

} // namespace tilewright::ui
