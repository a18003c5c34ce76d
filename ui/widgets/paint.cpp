// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/paint.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <algorithm>

namespace tilewright::ui {

void drawBadge(QPainter& painter, const QRectF& rect, IslandId island)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().island(island));
    painter.drawRoundedRect(rect, 3, 3);
    QFont font = fontOf(Type::Strong);
    const QString letter = QString::fromStdString(islandLetter(island));
    font.setPixelSize(std::max(6, qRound(rect.height() * (letter.size() > 1 ? 0.5 : 0.66))));
    font.setWeight(QFont::Bold);
    painter.setFont(font);
    painter.setPen(tokens().badgeText);
    painter.drawText(rect, Qt::AlignCenter, letter);
    painter.restore();
}

void drawInterval(QPainter& painter, qreal low, qreal value, qreal high, qreal y, const QColor& ink)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, 2));
    painter.drawLine(QPointF(low, y), QPointF(high, y));
    for (const qreal end : {low, high})
        painter.drawLine(QPointF(end, y - 3), QPointF(end, y + 3));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(QPointF(value, y), 4, 4);
    painter.restore();
}

qreal pillWidth(const QString& text) { return QFontMetricsF(fontOf(Type::Secondary)).horizontalAdvance(text) + px(14); }

qreal drawPill(QPainter& painter, const QRectF& rect, const QString& text, const QColor& fill, const QColor& ink)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal height = QFontMetricsF(fontOf(Type::Secondary)).height() + px(2);
    const QRectF pill(rect.left(), rect.center().y() - height / 2, std::min(pillWidth(text), rect.width()), height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(pill, height / 2, height / 2);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(ink);
    drawElided(painter, pill.adjusted(px(6), 0, -px(6), 0), Qt::AlignCenter, text);
    painter.restore();
    return pill.width();
}

void drawSparkline(QPainter& painter, const QRectF& rect, const std::vector<std::pair<std::int64_t, double>>& trace,
    std::int64_t lastX, double lowest, double highest, const QColor& colour)
{
    if (trace.empty() || highest <= lowest)
        return;
    // A rejection that was taken back is a result less: bests that came before may be numbered beyond the last one.
    std::int64_t last = lastX;
    for (const auto& [x, value] : trace)
        last = std::max(last, x);
    const double firstX = static_cast<double>(trace.front().first);
    const double span = std::max(1.0, static_cast<double>(last) - firstX);
    const auto at = [&](double x, double y) {
        return QPointF(rect.left() + (x - firstX) / span * rect.width(),
            rect.bottom() - std::clamp((y - lowest) / (highest - lowest), 0.0, 1.0) * rect.height());
    };
    QPainterPath line(at(firstX, trace.front().second));
    double reached = firstX, y = trace.front().second;
    // One step a pixel is all that is seen of many.
    const double leastStep = span / std::max(1.0, rect.width());
    double drawn = firstX - 1;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        reached = std::max(reached, static_cast<double>(trace[i].first));
        const double value = trace[i].second;
        if (i + 1 < trace.size() && static_cast<double>(trace[i + 1].first) < drawn + leastStep)
            continue;
        line.lineTo(at(reached, y));
        line.lineTo(at(reached, value));
        drawn = reached;
        y = value;
    }
    const QPointF end = at(static_cast<double>(last), y);
    line.lineTo(end);
    QPainterPath area = line;
    area.lineTo(end.x(), rect.bottom());
    area.lineTo(rect.left(), rect.bottom());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor soft = colour;
    soft.setAlphaF(0.18F);
    painter.fillPath(area, soft);
    painter.setPen(QPen(colour, 1.5));
    painter.drawPath(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(end, 2.5, 2.5);
    painter.restore();
}

QString wholeParts(const QStringList& parts, const QFontMetricsF& metrics, qreal width)
{
    for (qsizetype shown = parts.size(); shown > 0; --shown) {
        QString words = parts.first(shown).join(QStringLiteral(", "));
        if (shown < parts.size())
            words += u' ' + QObject::tr("+%1 more").arg(parts.size() - shown);
        if (shown == 1 || metrics.horizontalAdvance(words) <= width)
            return words;
    }
    return {};
}

void drawElided(QPainter& painter, const QRectF& rect, int alignment, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    painter.drawText(
        rect, alignment | Qt::TextSingleLine, metrics.elidedText(text, Qt::ElideRight, rect.width() + 0.5));
}

qreal drawInTwoLines(QPainter& painter, const QRectF& rect, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    QTextLine first = layout.createLine();
    if (first.isValid())
        first.setLineWidth(rect.width());
    layout.endLayout();
    const int cut = first.isValid() ? first.textLength() : 0;
    const QRectF line(rect.left(), rect.top(), rect.width(), metrics.height());
    drawElided(painter, line, Qt::AlignLeft, text.left(cut).trimmed());
    if (cut >= text.size())
        return line.height();
    drawElided(painter, line.translated(0, line.height()), Qt::AlignLeft, text.mid(cut).trimmed());
    return 2 * line.height();
}

} // namespace tilewright::ui
