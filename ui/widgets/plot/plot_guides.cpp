// SPDX-License-Identifier: GPL-3.0-or-later
// Guides of a plot: dotted lines that stay thin and apart however many there are.
#include "ui/widgets/plot/plot_scene.h"

#include "ui/theme/theme.h"

namespace tilewright::ui {

namespace {
constexpr double shortFrom = 0.94; ///< of the plot's height, from its upper edge: a guide without room
} // namespace

void PlotScene::addGuides()
{
    guideLines = new UprightLines(plot, main, QPen(Qt::black, 1, Qt::DotLine)); // the plot's
    guideLines->setLayer(QStringLiteral("grid")); // whatever was measured covers it
    for (const PlotGuide& guide : std::as_const(guides)) {
        QColor soft = guide.colour;
        soft.setAlphaF(0.7F);
        guideLines->lines.append({guide.x, 0, 1, soft});
    }
}

void PlotScene::placeGuides()
{
    double last = -1e300;
    for (UprightLine& line : guideLines->lines) {
        const double at = x()->coordToPixel(line.x);
        const bool isApart = at - last >= px(10);
        line.from = isApart ? 0 : shortFrom;
        if (isApart)
            last = at;
    }
}

} // namespace tilewright::ui
