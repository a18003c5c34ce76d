// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/cost_bars.h"

#include "core/base/format.h"
#include "ui/lab/scheme_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Whole clocks as long as they can be read.
QString clocks(double value)
{
    return value < 1e6 ? text(groupedText(std::llround(value))) : text(generalText(value, 4));
}

} // namespace

void CostBars::show(std::vector<CostBar> bars)
{
    m_bars = std::move(bars);
    QStringList spoken;
    for (const CostBar& bar : m_bars)
        spoken << tr("%1: %2 cycles").arg(bar.name, clocks(bar.multiplications + bar.additions));
    setAccessibleName(spoken.join(u"; "_s));
    updateGeometry();
    update();
}

QSize CostBars::sizeHint() const { return {px(420), px(28) * std::max<int>(1, static_cast<int>(m_bars.size()))}; }
QSize CostBars::minimumSizeHint() const { return {px(260), sizeHint().height()}; }

void CostBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    double most = 0;
    qreal names = 0, totals = 0;
    const QFontMetricsF secondary(fontOf(Type::Secondary)), strong(fontOf(Type::Strong));
    for (const CostBar& bar : m_bars) {
        most = std::max(most, bar.multiplications + bar.additions);
        names = std::max(names, secondary.horizontalAdvance(bar.name));
        totals = std::max(totals,
            strong.horizontalAdvance(clocks(bar.multiplications + bar.additions))
                + secondary.horizontalAdvance(tr(" cycles")));
    }
    const qreal left = names + px(10), room = width() - left - totals - px(10);
    if (most <= 0 || room <= 0)
        return;
    qreal top = 0;
    for (const CostBar& bar : m_bars) {
        const QRectF row(0, top, width(), px(28));
        const qreal products = room * bar.multiplications / most, sums = room * bar.additions / most;
        const QRectF first(left, row.top() + px(5), products, px(18)), second(first.right(), first.top(), sums, px(18));
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(t.secondary);
        painter.drawText(QRectF(0, row.top(), names, row.height()), Qt::AlignRight | Qt::AlignVCenter, bar.name);
        painter.fillRect(first, plusColour());
        painter.fillRect(second, minusColour());
        painter.setPen(t.badgeText);
        if (secondary.horizontalAdvance(bar.formula) + px(12) < products)
            painter.drawText(first.adjusted(px(6), 0, 0, 0), Qt::AlignVCenter, bar.formula);
        const QString total = clocks(bar.multiplications + bar.additions);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        const QRectF after(second.right() + px(8), row.top(), width() - second.right(), row.height());
        painter.drawText(after, Qt::AlignVCenter, total);
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(t.secondary);
        painter.drawText(after.adjusted(strong.horizontalAdvance(total), 0, 0, 0), Qt::AlignVCenter, tr(" cycles"));
        top += px(28);
    }
}

} // namespace tilewright::ui
