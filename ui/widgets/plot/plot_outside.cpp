// SPDX-License-Identifier: GPL-3.0-or-later
// What lies below or above the part of a plot that is shown: a mark at the edge for each dot, and how many they are, so
// that nothing is hidden without a word.
#include "ui/widgets/plot/plot_scene.h"

#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/plot/plot_labels.h"

#include <algorithm>
#include <array>

namespace tilewright::ui {

namespace {
/// Right ends that the count of dots may have, as parts of the plot's width.
constexpr std::array fromTheRight{0.995, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3};
} // namespace

void PlotScene::panHeight(double part)
{
    personMoved = true;
    const double by = part * main->height();
    y()->setRange(y()->pixelToCoord(main->bottom() - by), y()->pixelToCoord(main->top() - by));
    replot();
}

void PlotScene::addOutside()
{
    belowMarks.clear(); // with all graphs
    aboveMarks.clear();
    const auto add = [this](const QColor& colour, QCPScatterStyle::ScatterShape shape) {
        auto* marks = plot->addGraph(x(), y());
        marks->setLineStyle(QCPGraph::lsNone);
        marks->setScatterStyle(QCPScatterStyle(shape, QPen(colour), colour, px(6)));
        return marks;
    };
    for (const PlotSeries& one : std::as_const(series)) {
        belowMarks.append(add(one.colour, QCPScatterStyle::ssTriangleInverted));
        aboveMarks.append(add(one.colour, QCPScatterStyle::ssTriangle));
    }
    const auto count = [this](double height, Qt::Alignment alignment) {
        QCPItemText* text = label(main, {}, alignment | Qt::AlignRight);
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(0.995, height);
        text->setBrush(tokens().panel);
        text->setVisible(false);
        return text;
    };
    belowCount = count(0.95, Qt::AlignBottom);
    aboveCount = count(0.05, Qt::AlignTop);
}

QVector<QRectF> PlotScene::placeOutside(const QVector<QRectF>& taken)
{
    below = above = 0;
    QVector<QRectF> boxes;
    if (!belowCount || belowMarks.size() != series.size())
        return boxes;
    const QCPRange seenX = x()->range(), seenY = y()->range();
    const double lowEdge = y()->pixelToCoord(main->bottom() - px(4)), highEdge = y()->pixelToCoord(main->top() + px(4));
    for (int s = 0; s < series.size(); ++s) {
        QVector<double> lower, higher;
        const QVector<double>& xs = series[s].x;
        const auto end = std::ranges::upper_bound(xs, seenX.upper) - xs.begin();
        for (auto i = std::ranges::lower_bound(xs, seenX.lower) - xs.begin(); i < end; ++i)
            if (const double value = series[s].y[i]; value < seenY.lower)
                lower.append(xs[i]);
            else if (value > seenY.upper)
                higher.append(xs[i]);
        belowMarks[s]->setData(lower, QVector<double>(lower.size(), lowEdge), true);
        aboveMarks[s]->setData(higher, QVector<double>(higher.size(), highEdge), true);
        below += static_cast<int>(lower.size());
        above += static_cast<int>(higher.size());
    }
    const auto say = [&](QCPItemText* count, int number, const QString& words) {
        count->setVisible(number > 0);
        count->setText(words.arg(number));
        if (number == 0)
            return;
        const double height = count->position->coords().y();
        QVector<QRectF> choices; // from the right edge on, as far as names of lines stand there
        for (const double part : fromTheRight) {
            count->position->setCoords(part, height);
            choices << QRectF(count->topLeft->pixelPosition(), count->bottomRight->pixelPosition());
        }
        const int place = std::max(firstFree(choices, QRectF(main->rect()), taken), 0);
        count->position->setCoords(fromTheRight[static_cast<std::size_t>(place)], height);
        boxes << choices[place];
    };
    say(belowCount, below, tr("%1 below"));
    say(aboveCount, above, tr("%1 above"));
    return boxes;
}

QVector<QRectF> PlotScene::boxesOfOutside() const
{
    QVector<QRectF> boxes;
    const double side = px(6);
    for (const QVector<QCPGraph*>& marks : {belowMarks, aboveMarks})
        for (const QCPGraph* graph : marks) {
            double last = -1e300;
            for (const QCPGraphData& mark : *graph->data()) {
                const QPointF at(x()->coordToPixel(mark.key), y()->coordToPixel(mark.value));
                if (at.x() - last < 1)
                    continue;
                last = at.x();
                boxes << QRectF(at.x() - side / 2, at.y() - side / 2, side, side);
            }
        }
    return boxes;
}

} // namespace tilewright::ui
