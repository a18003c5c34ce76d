// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_hover.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plot/plot_labels.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

PlotHover::PlotHover(QWidget* parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setVisible(false);
}

void PlotHover::show(
    IslandId island, const QString& name, const QString& aside, const QStringList& lines, const QPoint& at)
{
    m_island = island;
    m_name = name;
    m_aside = aside;
    m_lines.clear();
    const double widest = std::min<double>(px(420), parentWidget()->width() - px(24));
    for (const QString& line : lines)
        m_lines += brokenInto(widest - px(24), line, QFontMetricsF(fontOf(Type::Body))).split(u'\n');
    const int line = QFontMetrics(fontOf(Type::Body)).height();
    const qsizetype room = std::max((parentWidget()->height() - px(20)) / line - 1, 2); // beside the name
    if (const qsizetype rest = m_lines.size() - room + 1; m_lines.size() > room) {
        m_lines = m_lines.first(room - 1);
        m_lines << tr("… and %1 more lines").arg(rest);
    }
    setAccessibleName((QStringList{name, aside} + lines).join(u'\n'));
    const QSize size = sizeHint();
    QPoint corner = at + QPoint(px(14), px(14));
    if (corner.x() + size.width() > parentWidget()->width())
        corner.setX(at.x() - size.width() - px(14));
    if (corner.y() + size.height() > parentWidget()->height())
        corner.setY(std::max(at.y() - size.height() - px(14), 0));
    setGeometry(QRect(corner, size));
    update();
    setVisible(true);
}

QSize PlotHover::sizeHint() const
{
    const QFontMetrics mono(fontOf(Type::Mono)), body(fontOf(Type::Body)), quiet(fontOf(Type::Secondary));
    int width = px(24) + mono.horizontalAdvance(m_name) + px(16) + quiet.horizontalAdvance(m_aside);
    for (const QString& line : m_lines)
        width = std::max(width, body.horizontalAdvance(line));
    return {width + px(24), px(16) + body.height() * static_cast<int>(1 + m_lines.size()) + px(4)};
}

void PlotHover::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.strongBorder);
    painter.setBrush(t.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const int line = QFontMetrics(fontOf(Type::Body)).height();
    QRect row(px(12), px(8), width() - px(24), line);
    if (m_island)
        drawBadge(painter, QRectF(row.left(), row.center().y() - px(7), px(15), px(15)), m_island);
    painter.setFont(fontOf(Type::Mono));
    painter.setPen(t.text);
    painter.drawText(row.adjusted(m_island ? px(24) : 0, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_name);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, m_aside);
    painter.setPen(t.text);
    bool first = true;
    row.translate(0, px(4));
    for (const QString& text : m_lines) {
        row.translate(0, line);
        painter.setFont(fontOf(first ? Type::Strong : Type::Body));
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, text);
        first = false;
    }
}

} // namespace tilewright::ui
