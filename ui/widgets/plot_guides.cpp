// SPDX-License-Identifier: GPL-3.0-or-later
// Guides of a plot: dotted lines that stay thin and apart however many there are.
#include "ui/widgets/plot_scene.h"

#include "ui/theme/theme.h"

namespace tilewright::ui {

namespace {
constexpr double shortFrom = 0.94; ///< of the plot's height, from its upper edge: a guide without room
} // namespace

void PlotScene::addGuide(const PlotGuide& guide)
{
    auto* line = new QCPItemLine(plot); // the plot's
    line->setLayer(QStringLiteral("grid")); // whatever was measured covers it
    line->setClipAxisRect(main);
    for (QCPItemPosition* end : {line->start, line->end}) {
        end->setAxisRect(main);
        end->setAxes(x(), y());
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    line->start->setCoords(guide.x, 0);
    line->end->setCoords(guide.x, 1);
    QColor soft = guide.colour;
    soft.setAlphaF(0.7F);
    line->setPen(QPen(soft, 1, Qt::DotLine));
    line->setSelectable(false);
    guideLines.append(line);
}

void PlotScene::placeGuides()
{
    double last = -1e300;
    for (int i = 0; i < guideLines.size(); ++i) {
        const double at = x()->coordToPixel(guides[i].x);
        const bool isApart = at - last >= px(10);
        guideLines[i]->start->setCoords(guides[i].x, isApart ? 0 : shortFrom);
        if (isApart)
            last = at;
    }
}

} // namespace tilewright::ui
