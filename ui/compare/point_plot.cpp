// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/point_plot.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/plot/plot_labels.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewright::ui {
namespace {

constexpr double reach = 12; ///< px from a mark within which the pointer is on it

double share(const PointAxis& axis, const std::pair<double, double>& span, double value)
{
    if (axis.isLogarithmic)
        return value > 0 ? std::log(value / span.first) / std::log(span.second / span.first) : -1;
    return (value - span.first) / (span.second - span.first);
}

qreal sizeOf(PointMark::Size size)
{
    return size == PointMark::Size::Large ? px(12) : size == PointMark::Size::Small ? px(6) : px(5);
}

QColor colourOf(const PointLine& line)
{
    const Tokens& t = tokens();
    switch (line.tone) {
    case PointLine::Tone::Roof:
        return t.text;
    case PointLine::Tone::Front:
        return t.accent;
    case PointLine::Tone::Program:
        return colourOf(line.marker);
    case PointLine::Tone::Quiet:
        break;
    }
    return t.tertiary;
}

} // namespace

PointPlot::PointPlot(QWidget* parent)
    : QWidget(parent)
    , m_card(new PlotHover(this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

QSize PointPlot::sizeHint() const { return {px(460), px(300)}; }
QSize PointPlot::minimumSizeHint() const { return {px(220), px(150)}; }

void PointPlot::show(PointScene scene)
{
    if (scene == m_scene)
        return;
    m_scene = std::move(scene);
    point(-1);
    update();
}

PointPlot::Layout PointPlot::layOut() const
{
    Layout layout;
    std::vector<double> xs, ys;
    for (const PointMark& mark : m_scene.marks) {
        xs.push_back(mark.at.x());
        ys.push_back(mark.at.y());
        if (mark.spanY) {
            ys.push_back(mark.spanY->first);
            ys.push_back(mark.spanY->second);
        }
    }
    if (m_scene.marks.empty())
        for (const PointLine& line : m_scene.lines)
            for (const QPointF& at : line.points) {
                xs.push_back(at.x());
                ys.push_back(at.y());
            }
    layout.x = spanOf(m_scene.x, xs);
    layout.y = spanOf(m_scene.y, ys);
    const QFontMetricsF tick(fontOf(Type::Tick)), title(fontOf(Type::Secondary));
    const qreal bottom = tick.height() + title.height() + px(14), top = px(12), right = px(16);
    layout.ticksY = ticksOf(
        m_scene.y, layout.y.first, layout.y.second, std::max(2, static_cast<int>((height() - bottom - top) / px(36))));
    qreal widest = 0;
    for (const AxisTick& each : layout.ticksY)
        widest = std::max(widest, tick.horizontalAdvance(each.text));
    const qreal left = title.height() + px(10) + widest + px(8);
    layout.area = QRectF(left, top, std::max(width() - left - right, 10.0), std::max(height() - bottom - top, 10.0));
    layout.ticksX = ticksOf(
        m_scene.x, layout.x.first, layout.x.second, std::max(2, static_cast<int>(layout.area.width() / px(64))));
    return layout;
}

QPointF PointPlot::pixelOf(const Layout& layout, const QPointF& value) const
{
    return {layout.area.left() + layout.area.width() * share(m_scene.x, layout.x, value.x()),
        layout.area.bottom() - layout.area.height() * share(m_scene.y, layout.y, value.y())};
}

QPointF PointPlot::placeOf(std::size_t mark) const { return pixelOf(layOut(), m_scene.marks.at(mark).at); }

void PointPlot::paintAxes(QPainter& painter, const Layout& layout) const
{
    const Tokens& t = tokens();
    const QFontMetricsF tick(fontOf(Type::Tick)), title(fontOf(Type::Secondary));
    painter.setFont(fontOf(Type::Tick));
    qreal free = -1e9;
    for (const AxisTick& each : layout.ticksX) {
        const qreal x = pixelOf(layout, {each.value, layout.y.first}).x();
        painter.setPen(t.grid);
        painter.drawLine(QPointF(x, layout.area.top()), QPointF(x, layout.area.bottom()));
        const qreal wide = tick.horizontalAdvance(each.text);
        const qreal left = std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide - 1));
        if (left < free)
            continue; // upon the one before
        painter.setPen(t.secondary);
        painter.drawText(QPointF(left, layout.area.bottom() + px(4) + tick.ascent()), each.text);
        free = left + wide + px(6);
    }
    for (const AxisTick& each : layout.ticksY) {
        const qreal y = pixelOf(layout, {layout.x.first, each.value}).y();
        painter.setPen(t.grid);
        painter.drawLine(QPointF(layout.area.left(), y), QPointF(layout.area.right(), y));
        painter.setPen(t.secondary);
        painter.drawText(QPointF(layout.area.left() - px(6) - tick.horizontalAdvance(each.text),
                             y + tick.ascent() / 2 - tick.descent() / 2),
            each.text);
    }
    painter.setPen(t.border);
    painter.drawRect(layout.area);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    const QString below = title.elidedText(m_scene.x.title, Qt::ElideRight, layout.area.width());
    painter.drawText(QRectF(layout.area.left(), height() - title.height() - px(4), layout.area.width(), title.height()),
        Qt::AlignCenter, below);
    painter.save();
    painter.translate(px(4), layout.area.center().y());
    painter.rotate(-90);
    const QString beside = title.elidedText(m_scene.y.title, Qt::ElideRight, layout.area.height());
    painter.drawText(
        QRectF(-layout.area.height() / 2, 0, layout.area.height(), title.height()), Qt::AlignCenter, beside);
    painter.restore();
}

void PointPlot::paintLines(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const
{
    const QFontMetricsF metrics(fontOf(Type::Secondary));
    for (const PointLine& line : m_scene.lines) {
        if (line.points.size() < 2)
            continue;
        QPainterPath path;
        for (qsizetype i = 0; i < line.points.size(); ++i) {
            const QPointF at = pixelOf(layout, line.points[i]);
            i == 0 ? path.moveTo(at) : path.lineTo(at);
        }
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setClipRect(layout.area.adjusted(0, 0, 1, 1));
        const QColor colour = colourOf(line);
        if (line.isSoft) {
            QPainterPath below = path;
            below.lineTo(pixelOf(layout, line.points.last()).x(), layout.area.bottom());
            below.lineTo(pixelOf(layout, line.points.first()).x(), layout.area.bottom());
            QColor tint = tokens().accent;
            tint.setAlphaF(0.06F);
            painter.fillPath(below, tint);
        }
        const bool isStrong = line.tone == PointLine::Tone::Roof || line.tone == PointLine::Tone::Program;
        painter.strokePath(
            path, QPen(colour, isStrong ? 2 : 1.2, line.isDashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
        painter.restore();
        if (line.label.isEmpty())
            continue;
        // Above the longest piece that is seen.
        QLineF longest;
        for (qsizetype i = 1; i < line.points.size(); ++i) {
            QPointF a = pixelOf(layout, line.points[i - 1]), b = pixelOf(layout, line.points[i]);
            const auto inside = [&](QPointF at) {
                return QPointF(std::clamp(at.x(), layout.area.left(), layout.area.right()),
                    std::clamp(at.y(), layout.area.top(), layout.area.bottom()));
            };
            a = inside(a), b = inside(b);
            if (const QLineF piece(a, b); piece.length() > longest.length())
                longest = piece;
        }
        const qreal wide = metrics.horizontalAdvance(line.label);
        if (longest.length() < wide + px(12))
            continue;
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(line.tone == PointLine::Tone::Quiet ? tokens().secondary : colourOf(line));
        const bool isFlat = std::abs(longest.dy()) < 1, isUpright = std::abs(longest.dx()) < 1;
        if (isFlat || isUpright) {
            const QPointF end = isFlat ? (longest.p1().x() > longest.p2().x() ? longest.p1() : longest.p2())
                                       : (longest.p1().y() > longest.p2().y() ? longest.p1() : longest.p2());
            const QRectF right(end.x() + px(6), end.y() - metrics.height() - px(4), wide + 2, metrics.height());
            const QRectF above(end.x() - wide - px(6), end.y() - metrics.height() - px(3), wide + 2, metrics.height());
            const QRectF below = above.translated(0, metrics.height() + px(6));
            const QVector<QRectF> places = isFlat ? QVector{above, below} : QVector{right, above};
            const int at = firstFree(places, layout.area, taken);
            if (at >= 0) {
                painter.drawText(places[at], Qt::AlignCenter, line.label);
                taken << places[at];
            }
            continue;
        }
        painter.save();
        painter.translate(longest.pointAt(0.5));
        double degrees = std::atan2(longest.dy(), longest.dx()) * 180 / std::numbers::pi;
        if (degrees > 90 || degrees < -90)
            degrees += 180;
        painter.rotate(degrees);
        const QRectF box(-wide / 2 - 1, -metrics.height() - px(4), wide + 2, metrics.height());
        // In the widget: what the painter knows has the scale of the screen in it.
        const QPointF middle = longest.pointAt(0.5);
        const QRectF seen = QTransform().translate(middle.x(), middle.y()).rotate(degrees).mapRect(box);
        if (layout.area.contains(seen)) {
            painter.drawText(box, Qt::AlignCenter, line.label);
            taken << seen;
        }
        painter.restore();
    }
}

void PointPlot::paintMarks(QPainter& painter, const Layout& layout) const
{
    painter.save();
    painter.setClipRect(layout.area.adjusted(-px(8), -px(8), px(8), px(8)));
    for (const PointMark::Size size : {PointMark::Size::Quiet, PointMark::Size::Small, PointMark::Size::Large})
        for (const PointMark& mark : m_scene.marks) {
            if (mark.size != size)
                continue;
            const QPointF at = pixelOf(layout, mark.at);
            if (mark.spanY) {
                const qreal low = pixelOf(layout, {mark.at.x(), mark.spanY->first}).y();
                const qreal high = pixelOf(layout, {mark.at.x(), mark.spanY->second}).y();
                painter.setPen(QPen(colourOf(mark.marker), 1));
                painter.drawLine(QPointF(at.x(), low), QPointF(at.x(), high));
                for (const qreal y : {low, high})
                    painter.drawLine(QPointF(at.x() - px(3), y), QPointF(at.x() + px(3), y));
            }
            drawMarker(painter, at, sizeOf(size), mark.marker,
                size == PointMark::Size::Large       ? 1
                    : size == PointMark::Size::Small ? 0.75
                                                     : 0.55);
        }
    if (m_pointed >= 0 && m_pointed < static_cast<int>(m_scene.marks.size())) {
        const PointMark& mark = m_scene.marks[static_cast<std::size_t>(m_pointed)];
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(tokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        const qreal radius = sizeOf(mark.size) / 2 + px(3);
        painter.drawEllipse(pixelOf(layout, mark.at), radius, radius);
    }
    painter.restore();
}

void PointPlot::paintLegend(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const
{
    if (m_scene.legend.empty())
        return;
    const QFontMetricsF name(fontOf(Type::Mono)), value(fontOf(Type::Secondary));
    qreal names = 0, values = 0;
    for (const PointLegendRow& row : m_scene.legend) {
        names = std::max(names, name.horizontalAdvance(row.name));
        values = std::max(values, value.horizontalAdvance(row.value));
    }
    const qreal line = std::max(name.height(), value.height()) + px(3);
    const qreal wide = px(26) + names + (values > 0 ? px(14) + values : 0) + px(10);
    const qreal high = line * static_cast<qreal>(m_scene.legend.size()) + px(10);
    if (wide > layout.area.width() * 0.62 || high > layout.area.height() * 0.75)
        return; // chips above tell which is which
    // The corner with the fewest marks in it.
    const QRectF room = layout.area.adjusted(px(6), px(6), -px(6), -px(6));
    QRectF best;
    std::size_t fewest = m_scene.marks.size() + 1;
    for (const QPointF& corner : {QPointF(room.right() - wide, room.bottom() - high), QPointF(room.left(), room.top()),
             QPointF(room.right() - wide, room.top()), QPointF(room.left(), room.bottom() - high)}) {
        const QRectF box(corner, QSizeF(wide, high));
        const auto inside = static_cast<std::size_t>(std::ranges::count_if(
            m_scene.marks, [&](const PointMark& mark) { return box.contains(pixelOf(layout, mark.at)); }));
        const bool isTaken = std::ranges::any_of(taken, [&](const QRectF& each) { return each.intersects(box); });
        if (!isTaken && inside < fewest) {
            fewest = inside;
            best = box;
        }
    }
    if (best.isNull())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(tokens().border);
    painter.setBrush(tokens().panel);
    painter.drawRoundedRect(best, 6, 6);
    painter.restore();
    QRectF row(best.left() + px(10), best.top() + px(5), best.width() - px(20), line);
    for (const PointLegendRow& each : m_scene.legend) {
        drawMarker(painter, QPointF(row.left() + px(5), row.center().y()), px(9), each.marker);
        painter.setFont(fontOf(Type::Mono));
        painter.setPen(tokens().text);
        painter.drawText(row.adjusted(px(16), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, each.name);
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(tokens().secondary);
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, each.value);
        row.translate(0, line);
    }
    taken << best;
}

void PointPlot::paintLabels(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const
{
    const QFontMetricsF metrics(fontOf(Type::Mono));
    for (const PointMark& mark : m_scene.marks)
        if (mark.size == PointMark::Size::Large) {
            const qreal half = sizeOf(mark.size) / 2;
            const QPointF at = pixelOf(layout, mark.at);
            taken << QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half);
        }
    painter.setFont(fontOf(Type::Mono));
    for (const PointMark& mark : m_scene.marks) {
        if (mark.label.isEmpty())
            continue;
        const QPointF at = pixelOf(layout, mark.at);
        const qreal wide = metrics.horizontalAdvance(mark.label) + 2, high = metrics.height(), away = px(10);
        const QVector<QRectF> places{QRectF(at.x() - wide / 2, at.y() - away - high, wide, high),
            QRectF(at.x() + away, at.y() - high / 2, wide, high), QRectF(at.x() - wide / 2, at.y() + away, wide, high),
            QRectF(at.x() - away - wide, at.y() - high / 2, wide, high)};
        const int place = firstFree(places, layout.area, taken);
        if (place < 0)
            continue;
        painter.setPen(tokens().text);
        painter.drawText(places[place], Qt::AlignCenter, mark.label);
        taken << places[place];
    }
}

void PointPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().panel);
    if (!m_scene.nothing.isEmpty()) {
        painter.setFont(fontOf(Type::Prose));
        painter.setPen(tokens().secondary);
        painter.drawText(
            rect().adjusted(px(16), px(8), -px(16), -px(8)), Qt::AlignCenter | Qt::TextWordWrap, m_scene.nothing);
    } else {
        const Layout layout = layOut();
        QVector<QRectF> taken;
        paintAxes(painter, layout);
        paintLines(painter, layout, taken);
        paintMarks(painter, layout);
        paintLegend(painter, layout, taken);
        paintLabels(painter, layout, taken);
    }
    if (hasFocus()) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

int PointPlot::markAt(const QPointF& at) const
{
    if (!m_scene.nothing.isEmpty())
        return -1;
    const Layout layout = layOut();
    int nearest = -1;
    double distance = reach * px(1);
    for (std::size_t i = 0; i < m_scene.marks.size(); ++i) {
        const double away = QLineF(at, pixelOf(layout, m_scene.marks[i].at)).length()
            + (m_scene.marks[i].size == PointMark::Size::Quiet ? 3 : 0);
        if (away < distance) {
            distance = away;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

void PointPlot::point(int mark)
{
    m_pointed = mark;
    if (mark < 0) {
        m_card->hide();
    } else {
        const PointMark& each = m_scene.marks[static_cast<std::size_t>(mark)];
        m_card->show({}, each.name, each.aside, each.lines, placeOf(static_cast<std::size_t>(mark)).toPoint());
        setAccessibleDescription((QStringList{each.name, each.aside} + each.lines).join(u", "));
    }
    update();
}

void PointPlot::step(int by)
{
    if (m_scene.marks.empty())
        return;
    // From left to right, whatever order they were given in.
    std::vector<int> order(m_scene.marks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, {}, [this](int i) { return m_scene.marks[static_cast<std::size_t>(i)].at.x(); });
    const auto found = std::ranges::find(order, m_pointed);
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    std::ptrdiff_t place = found == order.end() ? (by > 0 ? 0 : last) : (found - order.begin()) + by;
    place = std::clamp<std::ptrdiff_t>(place, 0, last);
    point(order[static_cast<std::size_t>(place)]);
}

void PointPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (const int mark = markAt(event->position()); mark != m_pointed)
        point(mark);
}

void PointPlot::mouseReleaseEvent(QMouseEvent* event)
{
    const int mark = markAt(event->position());
    if (event->button() == Qt::LeftButton && mark >= 0)
        if (const CandidateId candidate = m_scene.marks[static_cast<std::size_t>(mark)].candidate)
            Q_EMIT chosen(candidate);
}

void PointPlot::leaveEvent(QEvent*) { point(-1); }
void PointPlot::focusOutEvent(QFocusEvent* event)
{
    point(-1);
    QWidget::focusOutEvent(event);
}
void PointPlot::resizeEvent(QResizeEvent* event)
{
    point(-1);
    QWidget::resizeEvent(event);
}

void PointPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_Left:
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Escape:
        if (m_pointed >= 0)
            return point(-1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_pointed >= 0) {
            if (const CandidateId candidate = m_scene.marks[static_cast<std::size_t>(m_pointed)].candidate)
                Q_EMIT chosen(candidate);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace tilewright::ui
