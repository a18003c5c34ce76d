// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/lanes_painting.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

constexpr double leastBar = 2.5; ///< mean width in pixels from which pieces are painted one by one
constexpr int labelApart = 90; ///< pixels between ticks

void paintHead(QPainter& painter, const LaneScene& scene)
{
    const Tokens& t = tokens();
    painter.fillRect(QRect(0, 0, scene.size.width(), scene.headHeight), t.raised);
    painter.setFont(fontOf(Type::Tick));
    const double width = std::max(scene.size.width() - scene.labelWidth, 1);
    for (const TimeTick& tick : scene.axis.ticks(px(labelApart) / width)) {
        const double x = std::floor(scene.xOf(tick.ns));
        painter.fillRect(QRectF(x, scene.headHeight, 1, scene.size.height() - scene.headHeight), t.grid);
        painter.setPen(t.secondary);
        const QRectF box(x + px(4), 0, px(labelApart), scene.headHeight);
        if (box.left() + painter.fontMetrics().horizontalAdvance(tick.label) < scene.size.width())
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, tick.label);
    }
    painter.fillRect(QRect(0, scene.headHeight - 1, scene.size.width(), 1), t.border);
}

void paintFoot(QPainter& painter, const QRectF& bar)
{
    const qreal height = std::min<qreal>(px(4), bar.height() / 2);
    painter.fillRect(QRectF(bar.left(), bar.bottom() - height, bar.width(), height), tokens().bad);
    if (bar.width() < px(14) || bar.height() < px(12))
        return;
    const QRectF cross(bar.right() - px(11), bar.top() + px(3), px(7), px(7));
    painter.setPen(QPen(tokens().panel, 1.6));
    painter.drawLine(cross.topLeft(), cross.bottomRight());
    painter.drawLine(cross.topRight(), cross.bottomLeft());
}

void paintWait(QPainter& painter, const QRectF& area, const QColor& colour)
{
    QColor faint = colour;
    faint.setAlphaF(0.28F);
    painter.fillRect(area, faint);
}

void paintBars(QPainter& painter, const LaneScene& scene, int at, const std::function<QString(const LaneSpan&)>& name)
{
    const Lane& lane = scene.lanes->lanes()[static_cast<std::size_t>(at)];
    const Tokens& t = tokens();
    painter.setFont(fontOf(Type::Mono));
    const QFontMetricsF metrics(painter.font());
    for (std::size_t i = lane.firstAfter(scene.axis.from()); i < lane.spans().size(); ++i) {
        const LaneSpan& span = lane.spans()[i];
        if (static_cast<double>(span.startNs - span.waitedNs) > scene.axis.to())
            break;
        const QRectF bar
            = scene.bar(at, static_cast<double>(span.startNs), static_cast<double>(span.endNs), span.activity);
        const QColor colour = colourOf(t, span.activity);
        if (span.waitedNs > 0) {
            const double left = scene.xOf(static_cast<double>(span.startNs - span.waitedNs));
            if (bar.left() - left >= 1)
                paintWait(painter, QRectF(left, bar.center().y() - 1, bar.left() - left, 2), colour);
        }
        painter.fillRect(bar, colour);
        if (span.failed)
            paintFoot(painter, bar);
        const double room = bar.width() - px(8) - (span.failed ? px(10) : 0);
        if (room < px(34) || bar.height() < metrics.height() - 2)
            continue;
        const QString text = name(span);
        if (metrics.horizontalAdvance(text) > room)
            continue;
        painter.setPen(t.panel);
        painter.drawText(bar.adjusted(px(4), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

/// How full each column of pixels is, by activity; the lowest pixels are red where something came to nothing.
void paintLoad(QImage& image, const LaneScene& scene, int at)
{
    const Lane& lane = scene.lanes->lanes()[static_cast<std::size_t>(at)];
    const Tokens& t = tokens();
    const qreal ratio = image.devicePixelRatio();
    const auto device = [ratio](double logical) { return static_cast<int>(std::lround(logical * ratio)); };
    const int left = device(scene.labelWidth);
    const int top = std::max(device(scene.topOf(at) + px(3)), device(scene.headHeight));
    const int bottom = std::min(device(scene.topOf(at) + scene.laneHeight - px(3)), image.height());
    if (bottom <= top)
        return;
    std::array<QRgb, activityCount> colours{};
    for (std::size_t i = 0; i < activityCount; ++i)
        colours[i] = colourOf(t, static_cast<Activity>(i)).rgb();
    const QRgb red = t.bad.rgb();
    const double perPixel = scene.nsPerPixel() / ratio;
    const int height = device(scene.laneHeight - 2 * px(3)), foot = std::max(device(2), 1);
    std::size_t hint = lane.firstAfter(scene.axis.from());
    for (int x = left; x < image.width(); ++x) {
        const double from = scene.axis.from() + (x - left) * perPixel;
        if (hint >= lane.spans().size())
            break;
        const LaneLoad load = lane.load(from, from + perPixel, hint);
        double filled = 0;
        int y = bottom;
        for (std::size_t i = 0; i < activityCount; ++i) {
            filled += load.ns[i] / perPixel;
            for (const int to = bottom - static_cast<int>(std::lround(std::min(filled, 1.0) * height));
                 y > to && y > top;)
                reinterpret_cast<QRgb*>(image.scanLine(--y))[x] = colours[i];
        }
        for (int i = 1; load.failed > 0 && i <= foot; ++i)
            reinterpret_cast<QRgb*>(image.scanLine(bottom - i))[x] = red;
    }
}

void paintNames(QPainter& painter, const LaneScene& scene)
{
    const Tokens& t = tokens();
    painter.fillRect(QRect(0, scene.headHeight, scene.labelWidth, scene.size.height() - scene.headHeight), t.panel);
    const bool both = scene.laneHeight >= px(44);
    for (int i = 0; i < scene.names.size(); ++i) {
        const QString note = both ? scene.notes.value(i) : QString();
        const QRectF box(px(10), scene.topOf(i), scene.labelWidth - px(16), scene.laneHeight);
        const double half = note.isEmpty() ? 0 : px(9);
        painter.setFont(fontOf(Type::Body));
        painter.setPen(t.text);
        drawElided(painter, box.translated(0, -half), Qt::AlignLeft | Qt::AlignVCenter, scene.names[i]);
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(t.secondary);
        drawElided(painter, box.translated(0, half), Qt::AlignLeft | Qt::AlignVCenter, note);
    }
    painter.fillRect(QRect(scene.labelWidth - 1, 0, 1, scene.size.height()), t.border);
}

} // namespace

double LaneScene::nsPerPixel() const { return axis.length() / std::max(size.width() - labelWidth, 1); }
double LaneScene::xOf(double ns) const { return labelWidth + (ns - axis.from()) / nsPerPixel(); }
double LaneScene::nsAt(double x) const { return axis.from() + (x - labelWidth) * nsPerPixel(); }

int LaneScene::laneAt(double y) const
{
    if (y < headHeight || laneHeight <= 0)
        return -1;
    const int lane = static_cast<int>((y - headHeight + scrolled) / laneHeight);
    return lane < static_cast<int>(lanes->lanes().size()) ? lane : -1;
}

QRectF LaneScene::bar(int lane, double fromNs, double toNs, Activity activity) const
{
    const double left = std::max(xOf(fromNs), static_cast<double>(labelWidth) - 2);
    const double right = std::min(xOf(toNs), static_cast<double>(size.width()) + 2);
    const double room = laneHeight - 2.0 * px(3), height = std::round(room * heightOf(activity));
    return {left, topOf(lane) + px(3) + room - height, std::max(right - left, 1.0), height};
}

bool LaneScene::isDense(const Lane& lane) const
{
    const std::size_t first = lane.firstAfter(axis.from()), last = lane.firstAfter(axis.to(), first);
    if (last - first < 16)
        return false;
    const double from = std::max(axis.from(), static_cast<double>(lane.spans()[first].startNs));
    const double to = std::min(axis.to(), static_cast<double>(lane.spans()[last - 1].endNs));
    return (to - from) / nsPerPixel() / static_cast<double>(last - first) < leastBar;
}

QColor colourOf(const Tokens& t, Activity activity)
{
    switch (activity) {
    case Activity::Build:
        return t.codeType;
    case Activity::Check:
        return t.codeFunction;
    case Activity::Screen:
        return t.accent;
    case Activity::Confirm:
        return t.codePreprocessor;
    case Activity::Noise:
        return t.tertiary;
    case Activity::Call:
        break;
    }
    return t.codeNumber;
}

double heightOf(Activity activity)
{
    switch (activity) {
    case Activity::Check:
        return 0.62;
    case Activity::Noise:
        return 0.34;
    case Activity::Screen:
        return 0.82;
    case Activity::Build:
    case Activity::Confirm:
    case Activity::Call:
        break;
    }
    return 1;
}

QImage paintLanes(const LaneScene& scene, qreal ratio, const std::function<QString(const LaneSpan&)>& name)
{
    QImage image(scene.size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(tokens().panel);
    const int lanes = static_cast<int>(scene.lanes->lanes().size());
    std::vector<int> dense;
    {
        QPainter painter(&image);
        paintHead(painter, scene);
        painter.setClipRect(QRect(0, scene.headHeight, scene.size.width(), scene.size.height() - scene.headHeight));
        for (int i = 0; i < lanes; ++i) {
            const int bottom = scene.topOf(i) + scene.laneHeight;
            if (bottom <= scene.headHeight || scene.topOf(i) >= scene.size.height())
                continue;
            painter.fillRect(QRect(0, bottom - 1, scene.size.width(), 1), tokens().border);
            if (scene.isDense(scene.lanes->lanes()[static_cast<std::size_t>(i)]))
                dense.push_back(i);
            else
                paintBars(painter, scene, i, name);
        }
    }
    for (const int lane : dense)
        paintLoad(image, scene, lane);
    QPainter painter(&image);
    painter.setClipRect(QRect(0, scene.headHeight, scene.size.width(), scene.size.height() - scene.headHeight));
    paintNames(painter, scene);
    return image;
}

void paintLive(QPainter& painter, const LaneScene& scene, const LiveSpan& live, double nowNs)
{
    const double start = static_cast<double>(live.span.startNs);
    if (nowNs < scene.axis.from() || start > scene.axis.to())
        return;
    const QRectF bar = scene.bar(live.lane, start, std::max(nowNs, start), live.span.activity);
    const QColor colour = colourOf(tokens(), live.span.activity);
    painter.fillRect(bar, QBrush(colour, Qt::BDiagPattern));
    painter.setPen(QPen(colour, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace tilewright::ui
