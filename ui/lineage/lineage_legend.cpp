// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_legend.h"

#include "ui/lineage/lineage_node.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <functional>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

struct Item {
    QString name;
    int sign; ///< width of what stands before the name
    std::function<void(QPainter&, const QPointF&)> draw; ///< at its left end
};

std::vector<Item> items(const std::optional<ScoreScale>& scale)
{
    std::vector<Item> all;
    for (const NodeLook look : {NodeLook::Best, NodeLook::Ranked, NodeLook::UnderWay, NodeLook::Waiting,
             NodeLook::Rejected, NodeLook::Edited, NodeLook::BuildFailed, NodeLook::Refused, NodeLook::RunFailed,
             NodeLook::Unranked, NodeLook::Quarantined, NodeLook::NotApplied})
        all.push_back({words(look), px(14), [look](QPainter& painter, const QPointF& at) {
                           drawNode(painter, at + QPointF(px(6), 0), px(5), look, 0.75F, false);
                       }});
    all.push_back({LineageLegend::tr("rim: confirmed"), px(14), [](QPainter& painter, const QPointF& at) {
                       drawNode(painter, at + QPointF(px(6), 0), px(5), NodeLook::Ranked, 0.75F, true);
                   }});
    for (const NodeMark mark : {NodeMark::Star, NodeMark::Pin, NodeMark::Ban})
        all.push_back({words(mark), px(16), [mark](QPainter& painter, const QPointF& at) {
                           drawNode(painter, at + QPointF(px(6), 0), px(4), NodeLook::Ranked, 0.75F, false);
                           drawMark(painter, at + QPointF(px(6), 0), px(4), mark);
                       }});
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
        return all; // one score has no scale
    const QString low = u"≤ "_s + times(ScoreScale::lowest), high = times(scale->top); // what is lower has its colour
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

/// Places the items in rows; each is given to `put` with its left end, middle of its row. Returns the rows.
int flow(const std::optional<ScoreScale>& scale, int width, const std::function<void(const Item&, const QPointF&)>& put)
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    int x = 0, rows = 1;
    for (const Item& item : items(scale)) {
        const int wide = item.sign + px(3) + metrics.horizontalAdvance(item.name);
        if (x > 0 && x + wide > width) {
            x = 0;
            ++rows;
        }
        put(item, QPointF(x, (rows - 0.5) * px(20)));
        x += wide + px(14);
    }
    return rows;
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
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void LineageLegend::setScale(const std::optional<ScoreScale>& scale)
{
    if (m_scale == scale)
        return;
    m_scale = scale;
    updateGeometry();
    update();
}

int LineageLegend::heightForWidth(int width) const
{
    return flow(m_scale, width, [](const Item&, const QPointF&) {}) * px(20);
}

QSize LineageLegend::sizeHint() const { return {px(400), heightForWidth(px(400))}; }

QSize LineageLegend::minimumSizeHint() const { return {px(190), px(20)}; }

void LineageLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(Type::Secondary));
    flow(m_scale, width(), [&painter](const Item& item, const QPointF& at) {
        painter.save();
        item.draw(painter, at);
        painter.restore();
        painter.setPen(tokens().secondary);
        painter.drawText(
            QRectF(at.x() + item.sign + px(3), at.y() - px(10), px(400), px(20)), Qt::AlignVCenter, item.name);
    });
}

} // namespace tilewright::ui
