// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_lines.h"

#include <cmath>
#include <vector>

namespace tilewright::ui {

UprightLines::UprightLines(QCustomPlot* plot, QCPAxisRect* rect, const QPen& pen)
    : QCPAbstractItem(plot)
    , m_pen(pen)
{
    setClipAxisRect(rect);
    setSelectable(false);
}

void UprightLines::draw(QCPPainter* painter)
{
    const QRect area = clipRect();
    const QCPAxis* axis = clipAxisRect()->axis(QCPAxis::atBottom);
    std::vector<const UprightLine*> columns(static_cast<std::size_t>(std::max(area.width() + 1, 0)), nullptr);
    for (const UprightLine& line : lines)
        if (const double at = axis->coordToPixel(line.x); at >= area.left() && at <= area.left() + area.width())
            if (const UprightLine*& here = columns[static_cast<std::size_t>(at - area.left())];
                !here || line.to - line.from >= here->to - here->from)
                here = &line;
    QPen pen = m_pen;
    for (const UprightLine* line : columns) {
        if (!line)
            continue;
        const double at = axis->coordToPixel(line->x);
        pen.setColor(line->colour);
        painter->setPen(pen);
        painter->drawLine(
            QLineF(at, area.top() + line->from * area.height(), at, area.top() + line->to * area.height()));
    }
}

} // namespace tilewright::ui
