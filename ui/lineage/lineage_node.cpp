// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_node.h"

#include "ui/theme/theme.h"
#include "ui/theme/words.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewright::ui {
namespace {

QPolygonF diamond(const QPointF& c, qreal r)
{
    return QPolygonF({{c.x(), c.y() - r}, {c.x() + r, c.y()}, {c.x(), c.y() + r}, {c.x() - r, c.y()}});
}

/// Of its own hue, and apart from the ground: light ones would vanish on a light band, dark ones on a dark one.
QColor edgeOf(const Tokens& t, float shade)
{
    constexpr double leastContrast = 3;
    const bool isLight = contrast(t.panel, Qt::black) > contrast(t.panel, Qt::white);
    const QColor fill = scoreColour(t, shade);
    return standingOut(isLight ? fill.darker(170) : fill, t.panel, leastContrast);
}

/// Sprites in the row before this look.
int firstSpriteOf(NodeLook look)
{
    const int at = static_cast<int>(look);
    return at < 2 ? at * nodeShades * 2 : 2 * nodeShades * 2 + at - 2;
}

constexpr int spriteCount = 2 * nodeShades * 2 + nodeLooks - 2;

} // namespace

void drawNode(QPainter& painter, const QPointF& c, qreal r, NodeLook look, float shade, bool confirmed)
{
    const Tokens& t = tokens();
    const qreal line = std::max(1.0, r * 0.24);
    painter.setPen(QPen(t.secondary, line));
    painter.setBrush(Qt::NoBrush);
    switch (look) {
    case NodeLook::Best:
    case NodeLook::Ranked:
        painter.setPen(confirmed ? QPen(t.text, line) : QPen(edgeOf(t, shade), std::max(1.0, line / 2)));
        painter.setBrush(scoreColour(t, shade));
        if (look == NodeLook::Best)
            painter.drawPolygon(diamond(c, r * 1.2));
        else
            painter.drawEllipse(c, r * 0.9, r * 0.9);
        break;
    case NodeLook::Unranked:
        painter.drawEllipse(c, r * 0.8, r * 0.8);
        break;
    case NodeLook::Quarantined:
        painter.setPen(QPen(t.warning, line));
        painter.drawPolygon(diamond(c, r));
        break;
    case NodeLook::BuildFailed:
        painter.drawLine(c + QPointF(-r, -r) * 0.65, c + QPointF(r, r) * 0.65);
        painter.drawLine(c + QPointF(-r, r) * 0.65, c + QPointF(r, -r) * 0.65);
        break;
    case NodeLook::Refused:
        painter.drawRect(QRectF(c.x() - r * 0.7, c.y() - r * 0.7, r * 1.4, r * 1.4));
        break;
    case NodeLook::RunFailed:
        painter.drawPolygon(QPolygonF(
            {c + QPointF(-r, -r) * 0.7, c + QPointF(r, -r) * 0.7, c + QPointF(-r, r) * 0.7, c + QPointF(r, r) * 0.7}));
        break;
    case NodeLook::UnderWay:
    case NodeLook::Waiting:
        painter.setPen(QPen(t.accent, line));
        painter.setBrush(look == NodeLook::Waiting ? t.accent : t.pill);
        painter.drawPolygon(QPolygonF(
            {{c.x(), c.y() - r * 0.9}, {c.x() + r * 0.9, c.y() + r * 0.7}, {c.x() - r * 0.9, c.y() + r * 0.7}}));
        break;
    case NodeLook::Rejected:
        painter.setPen(QPen(t.bad, std::max(1.0, r * 0.18)));
        painter.drawEllipse(c, r * 0.8, r * 0.8);
        painter.drawLine(c + QPointF(-r, -r) * 0.35, c + QPointF(r, r) * 0.35);
        painter.drawLine(c + QPointF(-r, r) * 0.35, c + QPointF(r, -r) * 0.35);
        break;
    case NodeLook::Edited: // a ring, and an arrow to what came of it
        painter.setPen(QPen(t.accent, std::max(1.0, r * 0.18)));
        painter.drawEllipse(c, r * 0.8, r * 0.8);
        painter.drawPolyline(
            QPolygonF({c + QPointF(-r * 0.15, -r * 0.35), c + QPointF(r * 0.25, 0), c + QPointF(-r * 0.15, r * 0.35)}));
        break;
    case NodeLook::NotApplied:
        painter.setPen(QPen(t.tertiary, std::max(1.0, r * 0.18), Qt::DashLine));
        painter.drawEllipse(c, r * 0.75, r * 0.75);
        break;
    }
}

QString words(NodeLook look)
{
    switch (look) {
    case NodeLook::Best:
        return tr("new island best");
    case NodeLook::Ranked:
        return tr("measured");
    case NodeLook::Unranked:
        return tr("unranked");
    case NodeLook::Quarantined:
        return tr("quarantined");
    case NodeLook::BuildFailed:
        return tr("build failed");
    case NodeLook::Refused:
        return tr("refused by a check");
    case NodeLook::RunFailed:
        return tr("run failed");
    case NodeLook::UnderWay:
        return tr("in progress");
    case NodeLook::Waiting:
        return tr("pending review");
    case NodeLook::Rejected:
        return tr("rejected by you");
    case NodeLook::Edited:
        return tr("edited by you");
    case NodeLook::NotApplied:
        return tr("proposal not used");
    }
    return {};
}

void drawMark(QPainter& painter, const QPointF& c, qreal r, NodeMark mark)
{
    const Tokens& t = tokens();
    switch (mark) {
    case NodeMark::Star: {
        QPolygonF star;
        const QPointF at = c + QPointF(r * 1.1, -r * 1.1);
        for (int i = 0; i < 10; ++i) {
            const qreal reach = r * (i % 2 == 0 ? 0.85 : 0.36), angle = i * std::numbers::pi / 5;
            star << at + QPointF(std::sin(angle), -std::cos(angle)) * reach;
        }
        painter.setPen(QPen(t.warning, std::max(1.0, r * 0.2))); // hollow, as wherever a user's star is shown
        painter.setBrush(t.panel);
        painter.drawPolygon(star);
        break;
    }
    case NodeMark::Pin:
        painter.setPen(QPen(t.text, std::max(1.0, r * 0.3)));
        painter.drawLine(c + QPointF(0, r * 0.9), c + QPointF(0, r * 1.9));
        painter.drawLine(c + QPointF(-r * 0.6, r * 1.1), c + QPointF(r * 0.6, r * 1.1));
        break;
    case NodeMark::Ban:
        painter.setPen(QPen(t.bad, std::max(1.5, r * 0.4)));
        painter.drawLine(c + QPointF(-r, r) * 1.15, c + QPointF(r, -r) * 1.15);
        break;
    }
}

QString words(NodeMark mark)
{
    return mark == NodeMark::Star ? tr("starred") : mark == NodeMark::Pin ? tr("pinned") : tr("banned");
}

NodeSprites NodeSprites::make(qreal radius, qreal pixelRatio)
{
    NodeSprites made;
    made.radius = radius;
    made.pixelRatio = pixelRatio;
    made.side = static_cast<int>(std::ceil((radius * 2.8 + 2) * pixelRatio));
    made.row = QPixmap(made.side * spriteCount, made.side);
    made.row.fill(Qt::transparent);
    QPainter painter(&made.row);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto put = [&](int at, NodeLook look, float shade, bool confirmed) {
        painter.save();
        painter.translate((at + 0.5) * made.side, made.side / 2.0);
        painter.scale(pixelRatio, pixelRatio);
        drawNode(painter, {}, radius, look, shade, confirmed);
        painter.restore();
    };
    for (int i = 0; i < nodeLooks; ++i) {
        const auto look = static_cast<NodeLook>(i);
        if (i >= 2)
            put(firstSpriteOf(look), look, -1, false);
        else
            for (int shade = 0; shade < nodeShades; ++shade)
                for (const bool confirmed : {false, true})
                    put(firstSpriteOf(look) + shade * 2 + (confirmed ? 1 : 0), look,
                        (static_cast<float>(shade) + 0.5F) / nodeShades, confirmed);
    }
    return made;
}

int NodeSprites::leftOf(const LineageNode& node) const
{
    int at = firstSpriteOf(node.look);
    if (static_cast<int>(node.look) < 2)
        at += std::clamp(static_cast<int>(node.shade * nodeShades), 0, nodeShades - 1) * 2 + (node.confirmed ? 1 : 0);
    return at * side;
}

} // namespace tilewright::ui
