// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/island_legend.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

int side() { return px(15); }
int gap() { return px(10); }
int nameGap() { return px(4); }

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
        width += side() + gap() + (names ? nameGap() + fontMetrics().horizontalAdvance(entry.name) : 0);
    return width;
}

QSize IslandLegend::sizeHint() const { return {widthWith(true), std::max(side(), fontMetrics().height())}; }

void IslandLegend::paintEvent(QPaintEvent*)
{
    const bool names = width() >= widthWith(true);
    if (width() < widthWith(false))
        return;
    QPainter painter(this);
    painter.setPen(tokens().secondary);
    int x = width() - widthWith(names); // beside the controls
    for (const Entry& entry : m_entries) {
        drawBadge(painter, QRectF(x, (height() - side()) / 2.0, side(), side()), entry.island);
        x += side() + (names ? nameGap() : 0);
        if (names) {
            const int wide = fontMetrics().horizontalAdvance(entry.name);
            painter.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
            x += wide;
        }
        x += gap();
    }
}

} // namespace tilewright::ui
