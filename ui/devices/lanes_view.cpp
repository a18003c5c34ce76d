// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/lanes_view.h"

#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

constexpr double step = 1.25;
constexpr double scrollUnit = 1e6; ///< ns a unit of the bar below
constexpr int nearPixels = 3;
constexpr double leastLane = 28, mostLane = 110; ///< height, as far as there is room

} // namespace

LanesView::LanesView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    m_scene.lanes = &m_none;
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setMinimumSize(px(320), px(110));
    connect(&Theme::instance(), &Theme::changed, this, [this] { measure(); });
    measure();
}

void LanesView::show(const WorkLanes& lanes, const QStringList& names, const QStringList& notes, double nowNs)
{
    m_scene.lanes = &lanes;
    m_scene.names = names;
    m_scene.notes = notes;
    m_now = nowNs;
    m_scene.axis.setEnd(nowNs);
    m_hovered = {};
    if (lanes.arrangement() != m_arrangement || m_current.lane >= static_cast<int>(lanes.lanes().size())
        || !at(m_current))
        setCurrent({});
    m_arrangement = lanes.arrangement();
    measure();
}

void LanesView::setMessage(const QString& message)
{
    m_message = message;
    viewport()->update();
}

void LanesView::setNodeEnds(std::vector<double> ns)
{
    m_nodeEnds = std::move(ns);
    viewport()->update();
}

void LanesView::setSelected(CandidateId candidate)
{
    m_selected = candidate;
    viewport()->update();
}

void LanesView::fit()
{
    m_scene.axis.fit();
    changed();
}

void LanesView::follow(bool on)
{
    if (on)
        m_scene.axis.follow();
    else
        m_scene.axis.unfollow();
    changed();
}

void LanesView::zoomBy(double factor)
{
    const LaneSpan* piece = at(m_current);
    const double middle = (m_scene.axis.from() + m_scene.axis.to()) / 2;
    const double start = piece ? static_cast<double>(piece->startNs) : middle;
    const bool inView = start >= m_scene.axis.from() && start <= m_scene.axis.to();
    m_scene.axis.zoom(factor, inView ? start : middle);
    changed();
}

void LanesView::showFrom(double ns)
{
    m_scene.axis.showFrom(ns);
    changed();
}

const LaneSpan* LanesView::at(const LanePlace& place) const
{
    if (place.live >= 0)
        return static_cast<std::size_t>(place.live) < m_scene.lanes->live().size()
            ? &m_scene.lanes->live()[static_cast<std::size_t>(place.live)].span
            : nullptr;
    const auto& lanes = m_scene.lanes->lanes();
    if (place.lane < 0 || place.span < 0 || static_cast<std::size_t>(place.lane) >= lanes.size())
        return nullptr;
    const auto& spans = lanes[static_cast<std::size_t>(place.lane)].spans();
    return static_cast<std::size_t>(place.span) < spans.size() ? &spans[static_cast<std::size_t>(place.span)] : nullptr;
}

QRectF LanesView::barOf(const LanePlace& place) const
{
    const LaneSpan* span = at(place);
    if (!span)
        return {};
    const double end
        = place.live >= 0 ? std::max(m_now, static_cast<double>(span->startNs)) : static_cast<double>(span->endNs);
    return m_scene.bar(place.lane, static_cast<double>(span->startNs), end, span->activity);
}

QPoint LanesView::placeOf(const LanePlace& place) const { return barOf(place).center().toPoint(); }

void LanesView::changed()
{
    m_shown = {};
    m_measuring = true;
    const int most = static_cast<int>(std::min(m_scene.axis.end() * 1.03 / scrollUnit, 2e9));
    const int page = static_cast<int>(m_scene.axis.length() / scrollUnit);
    horizontalScrollBar()->setRange(0, std::max(most - page, 0));
    horizontalScrollBar()->setPageStep(std::max(page, 1));
    horizontalScrollBar()->setSingleStep(std::max(page / 20, 1));
    horizontalScrollBar()->setValue(static_cast<int>(m_scene.axis.from() / scrollUnit));
    m_measuring = false;
    viewport()->update();
    Q_EMIT viewChanged();
}

void LanesView::measure()
{
    const int lanes = static_cast<int>(m_scene.lanes->lanes().size());
    m_scene.size = viewport()->size().expandedTo({1, 1});
    m_scene.headHeight = px(22);
    double widest = 0; // what is said of a lane is a figure more often than not
    for (const QString& note : m_scene.notes)
        widest = std::max(widest, QFontMetricsF(fontOf(Type::Secondary)).horizontalAdvance(note));
    const int wanted = std::clamp(static_cast<int>(std::ceil(widest)) + px(16), px(168), px(240));
    m_scene.labelWidth = std::min(wanted, m_scene.size.width() / 3);
    const int room = m_scene.size.height() - m_scene.headHeight;
    m_scene.laneHeight = std::clamp(room / std::max(lanes, 1), px(leastLane), px(mostLane));
    m_measuring = true;
    verticalScrollBar()->setRange(0, std::max(lanes * m_scene.laneHeight - room, 0));
    verticalScrollBar()->setPageStep(std::max(room, 1));
    verticalScrollBar()->setSingleStep(m_scene.laneHeight);
    m_measuring = false;
    m_scene.scrolled = verticalScrollBar()->value();
    changed();
}

void LanesView::scrollContentsBy(int, int)
{
    if (m_measuring)
        return;
    m_scene.scrolled = verticalScrollBar()->value();
    const double from = horizontalScrollBar()->value() * scrollUnit;
    if (std::abs(from - m_scene.axis.from()) >= scrollUnit)
        m_scene.axis.showFrom(from);
    changed();
}

LanePlace LanesView::placeAt(const QPointF& pixel) const
{
    const int lane = m_scene.laneAt(pixel.y());
    if (lane < 0 || pixel.x() < m_scene.labelWidth)
        return {};
    const double ns = m_scene.nsAt(pixel.x());
    const auto& live = m_scene.lanes->live();
    for (std::size_t i = 0; i < live.size(); ++i)
        if (live[i].lane == lane && ns >= static_cast<double>(live[i].span.startNs) && ns <= m_now)
            return {lane, -1, static_cast<int>(i)};
    const int span
        = m_scene.lanes->lanes()[static_cast<std::size_t>(lane)].spanAt(ns, nearPixels * m_scene.nsPerPixel());
    return span < 0 ? LanePlace{} : LanePlace{lane, span, -1};
}

void LanesView::setCurrent(const LanePlace& place)
{
    if (place == m_current)
        return;
    m_current = place;
    if (const LaneSpan* span = at(place)) {
        const bool dense = m_scene.isDense(m_scene.lanes->lanes()[static_cast<std::size_t>(place.lane)]);
        const double start = static_cast<double>(span->startNs);
        m_scene.axis.reveal(start, place.live >= 0 || dense ? start : static_cast<double>(span->endNs));
        const int top = place.lane * m_scene.laneHeight, room = m_scene.size.height() - m_scene.headHeight;
        if (top < m_scene.scrolled)
            verticalScrollBar()->setValue(top);
        else if (top + m_scene.laneHeight > m_scene.scrolled + room)
            verticalScrollBar()->setValue(top + m_scene.laneHeight - room);
        changed();
    }
    viewport()->update();
    Q_EMIT currentChanged(m_current);
}

void LanesView::walk(int direction)
{
    const auto& lanes = m_scene.lanes->lanes();
    LanePlace next = m_current;
    if (!at(m_current)) {
        // The first one in view, of the first lane that has any.
        for (std::size_t i = 0; i < lanes.size() && next.span < 0; ++i)
            if (!lanes[i].spans().empty())
                next = {static_cast<int>(i),
                    static_cast<int>(std::min(lanes[i].firstAfter(m_scene.axis.from()), lanes[i].spans().size() - 1)),
                    -1};
        return setCurrent(next);
    }
    const auto& spans = lanes[static_cast<std::size_t>(m_current.lane)].spans();
    const int last = static_cast<int>(spans.size()) - 1;
    if (m_current.live >= 0) {
        if (direction < 0 && last >= 0)
            setCurrent({m_current.lane, last, -1});
        return;
    }
    if (direction > 0 && m_current.span == last) {
        const auto& live = m_scene.lanes->live();
        for (std::size_t i = 0; i < live.size(); ++i)
            if (live[i].lane == m_current.lane)
                return setCurrent({m_current.lane, -1, static_cast<int>(i)});
    }
    next.span = std::clamp(next.span + direction, 0, std::max(last, 0));
    setCurrent(next);
}

void LanesView::changeLane(int direction)
{
    const LaneSpan* from = at(m_current);
    if (!from)
        return walk(1);
    const auto& lanes = m_scene.lanes->lanes();
    for (int lane = m_current.lane + direction; lane >= 0 && lane < static_cast<int>(lanes.size()); lane += direction) {
        const Lane& other = lanes[static_cast<std::size_t>(lane)];
        if (other.spans().empty())
            continue;
        const std::size_t after = other.firstAfter(static_cast<double>(from->startNs));
        return setCurrent({lane, static_cast<int>(std::min(after, other.spans().size() - 1)), -1});
    }
}

void LanesView::resizeEvent(QResizeEvent*) { measure(); }

void LanesView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = m_dragged = event->position();
    m_dragging = false;
}

void LanesView::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton)) {
        m_hovered = placeAt(event->position());
        viewport()->update();
        Q_EMIT hovered(m_hovered, event->position().toPoint());
        return;
    }
    if (!m_dragging && (event->position() - m_pressed).manhattanLength() <= 4)
        return;
    m_dragging = true;
    Q_EMIT hovered({}, {});
    m_scene.axis.panBy((m_dragged.x() - event->position().x()) * m_scene.nsPerPixel());
    verticalScrollBar()->setValue(
        verticalScrollBar()->value() + static_cast<int>(std::lround(m_dragged.y() - event->position().y())));
    m_dragged = event->position();
    changed();
}

void LanesView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_dragging)
        return;
    if (const LanePlace place = placeAt(event->position())) {
        setCurrent(place);
        Q_EMIT chosen(place);
    }
}

void LanesView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_scene.axis.zoom(step * step * step, m_scene.nsAt(event->position().x()));
    changed();
}

void LanesView::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y())) {
        const int by = turned.x() ? turned.x() : turned.y();
        m_scene.axis.panBy(-by / 120.0 * m_scene.axis.length() / 10);
    } else {
        m_scene.axis.zoom(std::pow(step, turned.y() / 120.0),
            m_scene.nsAt(std::max<double>(event->position().x(), m_scene.labelWidth)));
    }
    event->accept();
    changed();
}

bool LanesView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_hovered = {};
        viewport()->update();
        Q_EMIT hovered({}, {});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LanesView::keyPressEvent(QKeyEvent* event)
{
    const bool pans = event->modifiers() & Qt::ShiftModifier;
    const int key = event->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
        zoomBy(key == Qt::Key_Plus ? step : 1 / step);
    } else if (key == Qt::Key_0) {
        fit();
    } else if (key == Qt::Key_Home) {
        showFrom(0);
    } else if (key == Qt::Key_End) {
        follow(true);
    } else if ((key == Qt::Key_Left || key == Qt::Key_Right) && pans) {
        m_scene.axis.panBy((key == Qt::Key_Left ? -0.1 : 0.1) * m_scene.axis.length());
        changed();
    } else if ((key == Qt::Key_Up || key == Qt::Key_Down) && pans) {
        verticalScrollBar()->triggerAction(
            key == Qt::Key_Up ? QAbstractSlider::SliderSingleStepSub : QAbstractSlider::SliderSingleStepAdd);
    } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
        walk(key == Qt::Key_Left ? -1 : 1);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        changeLane(key == Qt::Key_Up ? -1 : 1);
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) && at(m_current)) {
        Q_EMIT chosen(m_current);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void LanesView::paintMarks(QPainter& painter) const
{
    const Tokens& t = tokens();
    const QRect area(m_scene.labelWidth, m_scene.headHeight, m_scene.size.width() - m_scene.labelWidth,
        m_scene.size.height() - m_scene.headHeight);
    painter.setClipRect(area);
    for (const LiveSpan& live : m_scene.lanes->live())
        paintLive(painter, m_scene, live, m_now);
    const int bottom = std::min(m_scene.topOf(static_cast<int>(m_scene.lanes->lanes().size())), m_scene.size.height());
    for (const double ns : m_nodeEnds) {
        const double x = m_scene.xOf(ns);
        painter.setPen(QPen(t.bad, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, m_scene.headHeight), QPointF(x, bottom));
    }
    painter.setPen(QPen(t.secondary, 1));
    const double now = std::floor(m_scene.xOf(m_now)) + 0.5;
    painter.drawLine(QPointF(now, m_scene.headHeight), QPointF(now, bottom));
    painter.setBrush(Qt::NoBrush);
    if (m_selected) {
        painter.setPen(QPen(t.text, 2));
        const auto& lanes = m_scene.lanes->lanes();
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            if (m_scene.isDense(lanes[lane]))
                continue;
            const auto& spans = lanes[lane].spans();
            for (std::size_t i = lanes[lane].firstAfter(m_scene.axis.from());
                 i < spans.size() && static_cast<double>(spans[i].startNs) < m_scene.axis.to(); ++i)
                if (spans[i].candidate == m_selected)
                    painter.drawRect(
                        barOf({static_cast<int>(lane), static_cast<int>(i), -1}).adjusted(-0.5, -0.5, 0.5, 0.5));
        }
    }
    if (at(m_hovered)) {
        painter.setPen(QPen(t.secondary, 2));
        painter.drawRect(barOf(m_hovered).adjusted(-1, -1, 1, 1));
    }
    if (at(m_current)) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(barOf(m_current).adjusted(-2, -2, 2, 2));
    }
    painter.setClipping(false);
}

void LanesView::paintEvent(QPaintEvent*)
{
    if (m_shown.isNull())
        m_shown = paintLanes(
            m_scene, devicePixelRatioF(), m_namer ? m_namer : [](const LaneSpan&) { return QString(); });
    QPainter painter(viewport());
    painter.drawImage(0, 0, m_shown);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_scene.lanes->size() == 0 && m_scene.lanes->live().empty()) {
        painter.setFont(fontOf(Type::Prose));
        painter.setPen(tokens().secondary);
        painter.drawText(viewport()->rect().adjusted(m_scene.labelWidth + px(12), m_scene.headHeight, -px(12), 0),
            Qt::AlignCenter | Qt::TextWordWrap, m_message);
    } else {
        paintMarks(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace tilewright::ui
