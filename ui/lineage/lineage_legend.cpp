// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_legend.h"

#include "ui/lineage/lineage_node.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QtMath>
#include <algorithm>
#include <functional>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

struct Item {
    QString name;
    int sign; ///< width of what stands before the name
    std::function<void(QPainter&, const QPointF&)> draw; ///< at its left end
    std::optional<NodeLook> look = {};
    std::optional<NodeMark> mark = {};
};

std::vector<Item> items(const std::optional<ScoreScale>& scale)
{
    std::vector<Item> all;
    for (const NodeLook look : {NodeLook::Best, NodeLook::Ranked, NodeLook::UnderWay, NodeLook::Waiting,
             NodeLook::Rejected, NodeLook::Edited, NodeLook::BuildFailed, NodeLook::Refused, NodeLook::RunFailed,
             NodeLook::Unranked, NodeLook::Quarantined, NodeLook::NotApplied})
        all.push_back({words(look), px(14),
            [look](QPainter& painter, const QPointF& at) {
                drawNode(painter, at + QPointF(px(6), 0), px(5), look, 0.75F, false);
            },
            look});
    all.push_back({LineageLegend::tr("rim: confirmed"), px(14), [](QPainter& painter, const QPointF& at) {
                       drawNode(painter, at + QPointF(px(6), 0), px(5), NodeLook::Ranked, 0.75F, true);
                   }});
    for (const NodeMark mark : {NodeMark::Star, NodeMark::Pin, NodeMark::Ban})
        all.push_back({words(mark), px(16),
            [mark](QPainter& painter, const QPointF& at) {
                drawNode(painter, at + QPointF(px(6), 0), px(4), NodeLook::Ranked, 0.75F, false);
                drawMark(painter, at + QPointF(px(6), 0), px(4), mark);
            },
            {}, mark});
    const auto line = [](qreal width, Qt::PenStyle style, bool strong) {
        return [width, style, strong](QPainter& painter, const QPointF& at) {
            painter.setPen(QPen(strong ? tokens().text : tokens().tertiary, width, style));
            painter.drawLine(at, at + QPointF(px(22), 0));
        };
    };
    all.push_back({LineageLegend::tr("parent (two: crossover)"), px(26), line(1, Qt::SolidLine, false)});
    all.push_back({LineageLegend::tr("migration"), px(26), line(1, Qt::DashLine, false)});
    all.push_back({LineageLegend::tr("ancestry of the selection"), px(26), line(2, Qt::SolidLine, true)});
    all.push_back({LineageLegend::tr("best"), px(18), [](QPainter& painter, const QPointF& at) {
                       drawNode(painter, at + QPointF(px(8), 0), px(3.5), NodeLook::Ranked, 1, true);
                       painter.setPen(QPen(tokens().accent, 1.5));
                       painter.setBrush(Qt::NoBrush);
                       painter.drawEllipse(at + QPointF(px(8), 0), px(6), px(6));
                       painter.drawEllipse(at + QPointF(px(8), 0), px(8.5), px(8.5));
                   }});
    if (!scale)
        return all; // one score has no ranks
    const QString low = LineageLegend::tr("lowest score"),
                  high = LineageLegend::tr("highest, %1 (by rank)").arg(times(scale->top));
    const int lowWide = QFontMetrics(fontOf(Type::Secondary)).horizontalAdvance(low);
    all.push_back({high, lowWide + px(92), [low, lowWide](QPainter& painter, const QPointF& at) {
                       painter.setPen(tokens().secondary);
                       painter.drawText(QRectF(at.x(), at.y() - px(10), lowWide + 1, px(20)), Qt::AlignVCenter, low);
                       for (int i = 0; i < px(80); ++i)
                           painter.fillRect(QRectF(at.x() + lowWide + px(6) + i, at.y() - px(4), 1, px(8)),
                               scoreColour(tokens(), static_cast<double>(i) / px(80)));
                   }});
    return all;
}

int widthOf(const Item& item)
{
    return item.sign + px(3) + QFontMetrics(fontOf(Type::Secondary)).horizontalAdvance(item.name);
}

/// Where each stands: its left end, middle of its row.
std::vector<QPointF> flow(const std::vector<Item>& items, int width)
{
    std::vector<QPointF> places;
    int x = 0, rows = 1;
    for (const Item& item : items) {
        const int wide = widthOf(item);
        if (x > 0 && x + wide > width) {
            x = 0;
            ++rows;
        }
        places.emplace_back(x, (rows - 0.5) * px(20));
        x += wide + px(14);
    }
    return places;
}

int heightOf(const std::vector<QPointF>& places) { return qCeil(places.back().y() + px(10)); }

Item moreOf(qsizetype count)
{
    return {LineageLegend::tr("%1 more …").arg(count), 0, [](QPainter&, const QPointF&) {}};
}

} // namespace

LineageLegend::LineageLegend(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"lineageLegend"_s);
    QStringList said;
    for (const Item& item : items(std::nullopt))
        said << item.name;
    setAccessibleName(tr("Legend of the lineage: %1").arg(said.join(u", "_s)));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] { arrange(); });
}

void LineageLegend::setLineage(const Lineage& lineage)
{
    std::set<NodeLook> looks;
    std::set<NodeMark> marks;
    for (const LineageNode& node : lineage.nodes) {
        looks.insert(node.look);
        for (const auto& [has, mark] : {std::pair(node.starred, NodeMark::Star), std::pair(node.pinned, NodeMark::Pin),
                 std::pair(node.banned, NodeMark::Ban)})
            if (has)
                marks.insert(mark);
    }
    if (m_scale == lineage.scale && m_looks == looks && m_marks == marks)
        return;
    m_scale = lineage.scale;
    m_looks = std::move(looks);
    m_marks = std::move(marks);
    updateGeometry();
    arrange();
}

void LineageLegend::arrange()
{
    std::vector<Item> all = items(m_scale);
    std::vector<QPointF> places = flow(all, width());
    QStringList gone;
    if (heightOf(places) > height())
        std::erase_if(all, [&](const Item& item) {
            const bool isAbsent
                = (item.look && !m_looks.contains(*item.look)) || (item.mark && !m_marks.contains(*item.mark));
            if (isAbsent)
                gone << item.name;
            return isAbsent;
        });
    std::optional<Item> scale; // stays
    if (m_scale) {
        scale = all.back();
        all.pop_back();
    }
    m_leftOut.clear();
    for (;;) {
        std::vector<Item> shown = all;
        if (!m_leftOut.isEmpty())
            shown.push_back(moreOf(m_leftOut.size()));
        if (scale)
            shown.push_back(*scale);
        places = flow(shown, width());
        if (heightOf(places) <= height() || all.empty()) {
            m_placed.clear();
            for (std::size_t i = 0; i < shown.size(); ++i)
                m_placed.push_back({shown[i].name, shown[i].sign, shown[i].draw, places[i]});
            break;
        }
        m_leftOut.prepend(all.back().name);
        all.pop_back();
    }
    QStringList lines;
    if (!m_leftOut.isEmpty())
        lines << tr("And: %1").arg(m_leftOut.join(u", "_s));
    if (!gone.isEmpty())
        lines << tr("Not in this lineage: %1").arg(gone.join(u", "_s));
    setToolTip(lines.join(u'\n'));
    update();
}

void LineageLegend::resizeEvent(QResizeEvent*) { arrange(); }

int LineageLegend::heightForWidth(int width) const { return heightOf(flow(items(m_scale), width)); }

QSize LineageLegend::sizeHint() const { return {px(400), heightForWidth(px(400))}; }

QSize LineageLegend::minimumSizeHint() const { return {px(190), px(20)}; }

void LineageLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(Type::Secondary));
    for (const auto& [name, sign, draw, at] : m_placed) {
        painter.save();
        draw(painter, at);
        painter.restore();
        painter.setPen(tokens().secondary);
        painter.drawText(QRectF(at.x() + sign + px(3), at.y() - px(10), px(400), px(20)), Qt::AlignVCenter, name);
    }
}

namespace {
constexpr double widest = 44, highest = 30; // pixels a unit: the closest view
}

QSizeF LineageCamera::fitScale() const
{
    return {std::min(m_view.width() / m_plane.width(), widest), std::min(m_view.height() / m_plane.height(), highest)};
}

void LineageCamera::setSizes(const QSizeF& plane, const QSizeF& view)
{
    m_plane = plane.expandedTo({1, 1});
    m_view = view.expandedTo({1, 1});
    if (!m_moved)
        fit();
    else
        settle();
}

void LineageCamera::fit()
{
    m_moved = false;
    m_scaleX = fitScale().width();
    m_scaleY = fitScale().height();
    m_left = m_top = 0;
    settle();
}

void LineageCamera::zoom(double factor, const QPointF& at)
{
    const QPointF fixed = unitAt(at);
    const QSizeF least = fitScale();
    m_scaleX = std::clamp(m_scaleX * factor, least.width(), widest);
    m_scaleY = std::clamp(m_scaleY * factor, least.height(), highest);
    m_left = fixed.x() - at.x() / m_scaleX;
    m_top = fixed.y() - at.y() / m_scaleY;
    m_moved = m_scaleX > least.width() || m_scaleY > least.height();
    settle();
}

void LineageCamera::pan(const QPointF& pixels)
{
    m_left -= pixels.x() / m_scaleX;
    m_top -= pixels.y() / m_scaleY;
    settle();
}

void LineageCamera::centreOn(const QPointF& unit)
{
    m_left = unit.x() - m_view.width() / m_scaleX / 2;
    m_top = unit.y() - m_view.height() / m_scaleY / 2;
    settle();
}

void LineageCamera::reveal(const QPointF& unit, double margin)
{
    const QPointF at = pixelOf(unit);
    const auto beyond = [margin](double where, double size) {
        return where < margin ? margin - where : where > size - margin ? size - margin - where : 0.0;
    };
    pan({beyond(at.x(), m_view.width()), beyond(at.y(), m_view.height())});
}

void LineageCamera::settle()
{
    const double wide = m_view.width() / m_scaleX, high = m_view.height() / m_scaleY;
    m_left = wide >= m_plane.width() ? 0 : std::clamp(m_left, 0.0, m_plane.width() - wide);
    m_top = high >= m_plane.height() ? (m_plane.height() - high) / 2 : std::clamp(m_top, 0.0, m_plane.height() - high);
}

QPointF LineageCamera::pixelOf(const QPointF& unit) const
{
    return {(unit.x() - m_left) * m_scaleX, (unit.y() - m_top) * m_scaleY};
}

QPointF LineageCamera::unitAt(const QPointF& pixel) const
{
    return {m_left + pixel.x() / m_scaleX, m_top + pixel.y() / m_scaleY};
}

QRectF LineageCamera::seen() const { return {m_left, m_top, m_view.width() / m_scaleX, m_view.height() / m_scaleY}; }

} // namespace tilewright::ui
