// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/resource_bars.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double rowHeight = 40;
constexpr double mostRegisters = 255; ///< a thread, all NVIDIA architectures since Kepler (CUDA C++ Programming Guide)

QString figure(const ResourceBar& bar, double value)
{
    if (bar.unit == u"%"_s)
        return percent(value);
    if (bar.unit == u"B"_s)
        return bytes(value);
    return grouped(std::llround(value));
}

/// As the hardware deals them out, to whole warps.
std::optional<std::int64_t> registersOfBlock(const ResourceFigures& figures)
{
    constexpr int warp = 32;
    if (!figures.registers || figures.threads <= 0)
        return {};
    return *figures.registers * ((figures.threads + warp - 1) / warp) * warp;
}

/// "40.5" of "40.5 KiB", where the other figure ends with the same unit.
QString withoutUnitOf(const QString& other, const QString& figure)
{
    const QString unit = figure.section(u' ', 1);
    return !unit.isEmpty() && unit == other.section(u' ', 1) ? figure.section(u' ', 0, 0) : figure;
}

} // namespace

std::vector<ResourceBar> resourceBars(
    const ResourceFigures& own, const ResourceFigures& parent, const ResourceLimits& limits)
{
    std::vector<ResourceBar> bars;
    const auto put = [&bars](const QString& name, const QString& unit, const auto& value, const auto& before,
                         std::optional<double> limit = {}, double most = 0) {
        if (!value)
            return;
        const auto number = static_cast<double>(*value);
        const auto earlier = before ? std::optional(static_cast<double>(*before)) : std::nullopt;
        const double larger = std::max({number, earlier.value_or(0), 1.0}) * 1.25;
        bars.push_back({name, unit, number, most > 0 ? most : limit.value_or(larger), earlier, limit});
    };
    const auto add = [&](const QString& name, const QString& unit, auto member, std::optional<double> limit = {},
                         double most = 0) { put(name, unit, own.*member, parent.*member, limit, most); };
    const auto number = [](const std::optional<std::int64_t>& each) {
        return each ? std::optional(static_cast<double>(*each)) : std::nullopt;
    };
    add(ResourceBars::tr("Registers per thread"), {}, &ResourceFigures::registers, mostRegisters, mostRegisters);
    put(ResourceBars::tr("Registers per block"), {}, registersOfBlock(own), registersOfBlock(parent),
        number(limits.registers));
    add(ResourceBars::tr("Shared memory"), u"B"_s, &ResourceFigures::sharedBytes, number(limits.sharedBytes));
    add(ResourceBars::tr("Spills"), u"B"_s, &ResourceFigures::spillBytes);
    add(ResourceBars::tr("Occupancy"), u"%"_s, &ResourceFigures::occupancy, {}, 1);
    add(ResourceBars::tr("Machine code"), u"B"_s, &ResourceFigures::machineCodeBytes);
    add(ResourceBars::tr("Constants"), u"B"_s, &ResourceFigures::constantBytes);
    add(ResourceBars::tr("Source"), u"B"_s, &ResourceFigures::sourceBytes);
    return bars;
}

ResourceBars::ResourceBars(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"resourceBars"_s);
    setAccessibleName(tr("Resources"));
    setNone(tr("The build told none."));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ResourceBars::show(std::vector<ResourceBar> bars)
{
    if (bars == m_bars)
        return;
    m_bars = std::move(bars);
    QStringList lines;
    for (const ResourceBar& bar : m_bars)
        lines << u"%1 %2"_s.arg(bar.name, figure(bar, bar.own))
                + (bar.parent ? tr(", parent %1").arg(figure(bar, *bar.parent)) : QString())
                + (bar.limit ? tr(", at most %1").arg(figure(bar, *bar.limit)) : QString());
    setAccessibleDescription(m_bars.empty() ? m_none : lines.join(u"\n"_s));
    updateGeometry();
    update();
}

void ResourceBars::setNone(const QString& words)
{
    if (words == m_none)
        return;
    m_none = words;
    if (m_bars.empty())
        setAccessibleDescription(m_none);
    update();
}

QSize ResourceBars::sizeHint() const
{
    return {px(240), px(rowHeight) * static_cast<int>(std::max<std::size_t>(m_bars.size(), 1)) + px(8)};
}

void ResourceBars::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setFont(fontOf(Type::Body));
    if (m_bars.empty()) {
        painter.setPen(t.secondary);
        painter.drawText(rect().adjusted(px(12), 0, -px(12), 0), Qt::AlignVCenter, m_none);
        return;
    }
    double top = px(6);
    for (const ResourceBar& bar : m_bars) {
        const QRectF words(px(12), top, width() - px(24), px(18));
        const QString now = figure(bar, bar.own);
        const QString before = bar.parent ? withoutUnitOf(now, figure(bar, *bar.parent)) + u" → "_s : QString();
        const QString most = bar.limit ? u' ' + tr("of %1").arg(figure(bar, *bar.limit)) : QString();
        QRectF room = words;
        const auto draw = [&](Type type, const QColor& ink, const QString& part) { // from the right
            painter.setFont(fontOf(type));
            painter.setPen(ink);
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, part);
            room.setRight(room.right() - QFontMetricsF(painter.font()).horizontalAdvance(part));
        };
        draw(Type::Body, t.secondary, most);
        draw(Type::Strong, t.text, now);
        draw(Type::Body, t.secondary, before);
        painter.setFont(fontOf(Type::Body));
        painter.setPen(t.text);
        drawElided(painter, room.adjusted(0, 0, -px(8), 0), Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        const QRectF track(px(12), top + px(22), width() - px(24), px(5));
        painter.fillRect(track, t.track);
        painter.fillRect(
            QRectF(track.left(), track.top(), track.width() * std::min(bar.own / bar.most, 1.0), track.height()),
            t.accent);
        if (bar.parent) {
            const double x = track.left() + track.width() * std::min(*bar.parent / bar.most, 1.0);
            painter.fillRect(QRectF(x - 1, track.top() - px(3), 2, track.height() + px(6)), t.text);
        }
        top += px(rowHeight);
    }
}

} // namespace tilewright::ui
