// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/resource_bars.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double rowHeight = 40;
constexpr double mostRegisters = 255; ///< a thread, all NVIDIA architectures since Kepler (CUDA C++ Programming Guide)

std::optional<double> numberAt(const nlohmann::json& resources, const char* key)
{
    return resources.is_object() && resources.contains(key) && resources[key].is_number()
        ? std::optional(resources[key].get<double>())
        : std::nullopt;
}

QString figure(const ResourceBar& bar, double value)
{
    if (bar.unit == u"%"_s)
        return percent(value);
    if (bar.unit == u"B"_s)
        return bytes(value);
    return QString::number(value, 'f', 0);
}

} // namespace

std::vector<ResourceBar> resourceBars(const nlohmann::json& own, const nlohmann::json& parent)
{
    struct Known {
        const char* key;
        QString name, unit;
        double most; ///< 0: the larger of the two
    };
    const Known known[] = {{"registers", ResourceBars::tr("Registers per thread"), {}, mostRegisters},
        {"smem", ResourceBars::tr("Shared memory"), u"B"_s, 0}, {"spill", ResourceBars::tr("Spills"), u"B"_s, 0},
        {"occupancy", ResourceBars::tr("Occupancy"), u"%"_s, 1},
        {"text_bytes", ResourceBars::tr("Machine code"), u"B"_s, 0},
        {"rodata_bytes", ResourceBars::tr("Constants"), u"B"_s, 0},
        {"code_bytes", ResourceBars::tr("Source"), u"B"_s, 0}};
    std::vector<ResourceBar> bars;
    for (const Known& each : known)
        if (const auto value = numberAt(own, each.key)) {
            const auto before = numberAt(parent, each.key);
            const double larger = std::max({*value, before.value_or(0), 1.0}) * 1.25;
            bars.push_back({each.name, each.unit, *value, each.most > 0 ? each.most : larger, before});
        }
    return bars;
}

ResourceBars::ResourceBars(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"resourceBars"_s);
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
                + (bar.parent ? tr(", parent %1").arg(figure(bar, *bar.parent)) : QString());
    setAccessibleName(tr("Resources"));
    setAccessibleDescription(lines.join(u"\n"_s));
    updateGeometry();
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
        painter.drawText(rect().adjusted(px(12), 0, -px(12), 0), Qt::AlignVCenter, tr("The build told none."));
        return;
    }
    double top = px(6);
    for (const ResourceBar& bar : m_bars) {
        const QRectF words(px(12), top, width() - px(24), px(18));
        const QString before = bar.parent ? figure(bar, *bar.parent) + u" → "_s : QString();
        const QString now = figure(bar, bar.own);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, now);
        const double strong = QFontMetricsF(painter.font()).horizontalAdvance(now);
        painter.setFont(fontOf(Type::Body));
        painter.setPen(t.secondary);
        painter.drawText(words.adjusted(0, 0, -strong, 0), Qt::AlignRight | Qt::AlignVCenter, before);
        const double used = strong + QFontMetricsF(painter.font()).horizontalAdvance(before) + px(8);
        painter.setPen(t.text);
        drawElided(painter, words.adjusted(0, 0, -used, 0), Qt::AlignLeft | Qt::AlignVCenter, bar.name);
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
