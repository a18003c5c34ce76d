// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/island_legend.h"

#include "ui/evolve/fitness_data.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

int side() { return px(15); }
int gap() { return px(10); }
int nameGap() { return px(4); }
int lineGap() { return px(3); }
int lineLength() { return px(16); }

/// Its badge, and behind it its line where that is not solid: then the colour is that of another one as well.
int signWidth(IslandId island) { return side() + (islandLine(island) == Qt::SolidLine ? 0 : lineGap() + lineLength()); }

/// Of the islands for which there is no room: the tool tip names them.
QString restWords(std::size_t count) { return u"+%1"_s.arg(count); }

} // namespace

IslandLegend::IslandLegend(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"islandLegend"_s);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setFont(fontOf(Type::Secondary));
}

void IslandLegend::show(std::vector<Entry> entries)
{
    if (entries == m_entries)
        return;
    m_entries = std::move(entries);
    QStringList words;
    for (const Entry& entry : m_entries)
        words << u"%1 %2"_s.arg(QString::fromStdString(islandLetter(entry.island)), entry.name);
    setAccessibleName(tr("Islands: %1").arg(words.join(u", "_s)));
    setToolTip(words.join(u'\n'));
    updateGeometry();
    update();
}

int IslandLegend::widthWith(bool names) const
{
    int width = 0;
    for (const Entry& entry : m_entries)
        width
            += signWidth(entry.island) + gap() + (names ? nameGap() + fontMetrics().horizontalAdvance(entry.name) : 0);
    return width;
}

std::size_t IslandLegend::badgesThatFit() const
{
    if (width() >= widthWith(false))
        return m_entries.size();
    int room = width() - fontMetrics().horizontalAdvance(restWords(m_entries.size()));
    std::size_t fit = 0;
    while (fit < m_entries.size() && (room -= signWidth(m_entries[fit].island) + gap()) >= 0)
        ++fit;
    return fit;
}

QSize IslandLegend::sizeHint() const { return {widthWith(true), std::max(side(), fontMetrics().height())}; }

void IslandLegend::paintEvent(QPaintEvent*)
{
    const bool names = width() >= widthWith(true);
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(tokens().secondary);
    const std::size_t shown = names ? m_entries.size() : badgesThatFit();
    const QString rest = shown < m_entries.size() ? restWords(m_entries.size() - shown) : QString();
    int taken = names ? widthWith(true) : fontMetrics().horizontalAdvance(rest);
    for (std::size_t i = 0; i < shown && !names; ++i)
        taken += signWidth(m_entries[i].island) + gap();
    int x = std::max(0, width() - taken); // beside the controls
    for (std::size_t i = 0; i < shown; ++i) {
        const Entry& entry = m_entries[i];
        drawBadge(painter, QRectF(x, (height() - side()) / 2.0, side(), side()), entry.island);
        x += side();
        if (const Qt::PenStyle line = islandLine(entry.island); line != Qt::SolidLine) {
            x += lineGap();
            painter.setPen(QPen(Theme::instance().island(entry.island), 2, line));
            painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + lineLength(), height() / 2.0));
            painter.setPen(tokens().secondary);
            x += lineLength();
        }
        x += names ? nameGap() : 0;
        if (names) {
            const int wide = fontMetrics().horizontalAdvance(entry.name);
            painter.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
            x += wide;
        }
        x += gap();
    }
    if (!rest.isEmpty() && fontMetrics().horizontalAdvance(rest) <= width() - x)
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, rest);
}

} // namespace tilewright::ui
