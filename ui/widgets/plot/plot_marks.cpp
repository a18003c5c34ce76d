// SPDX-License-Identifier: GPL-3.0-or-later
// Marks of a plot: a short tick at its upper edge for each, and a label where there is room for it.
#include "ui/widgets/plot/plot_scene.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_labels.h"

#include <algorithm>

namespace tilewright::ui {

namespace {
constexpr int markRows = 2; ///< of labels below each other
constexpr double repeatedWithin = 3; ///< widths of a label, within which the same one is not written again
constexpr double tickPart = 0.06; ///< of the plot's height: a tick at its upper edge

/// Of the labels of marks.
double rowHeight() { return QFontMetricsF(fontOf(Type::Tick)).height() + 2; }
} // namespace

double PlotScene::heightOfMarks() { return markRows * rowHeight() + px(6); }

void PlotScene::addMarks()
{
    markLabels.clear(); // with all items
    labelledMarks.clear();
    markTicks = new UprightLines(plot, main, QPen(Qt::black, 2)); // the plot's
    for (const PlotMark& mark : std::as_const(marks))
        markTicks->lines.append({mark.x, 0, tickPart, mark.colour});
}

double PlotScene::widthOf(const QString& markLabel)
{
    const auto known = labelWidths.constFind(markLabel);
    if (known != labelWidths.constEnd())
        return *known;
    return *labelWidths.insert(markLabel, QFontMetricsF(fontOf(Type::Tick)).horizontalAdvance(markLabel) + px(8));
}

void PlotScene::placeMarks(const QVector<QRectF>& taken)
{
    const QRectF room(main->rect());
    QVector<TickLabel> labels;
    for (const PlotMark& mark : std::as_const(marks)) {
        const double at = x()->coordToPixel(mark.x), width = widthOf(mark.label);
        const qsizetype before = labels.size() - 1; // the same word again beside itself tells nothing more
        const bool isRepeated
            = before >= 0 && marks[before].label == mark.label && at - labels[before].x < repeatedWithin * width;
        labels.append({at, isRepeated ? main->width() + width : width}); // too wide for any place
    }
    const TickRows rows{markRows, rowHeight(), tickPart * room.height()};
    QVector<QRectF> lines; // a name across one could not be read
    for (const PlotReference& reference : std::as_const(references))
        lines << QRectF(room.left(), y()->coordToPixel(reference.y) - 2, room.width(), 4);
    const auto places = placeTickLabels(labels, room, rows, taken + lines);
    int used = 0;
    labelledMarks.clear();
    for (int i = 0; i < places.size(); ++i) {
        const auto& place = places[i];
        markTicks->lines[i].to = (place ? place->tickLength : rows.tickLength) / std::max(room.height(), 1.0);
        if (!place)
            continue;
        if (used == markLabels.size()) {
            QCPItemText* words = label(main, {}, Qt::AlignLeft | Qt::AlignTop);
            words->setFont(fontOf(Type::Tick));
            words->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            markLabels.append(words);
        }
        QCPItemText* words = markLabels[used++];
        labelledMarks.append(i);
        words->setVisible(true);
        words->setText(marks[i].label);
        words->setPositionAlignment((place->isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        words->position->setCoords(marks[i].x, (place->box.top() - room.top()) / room.height());
    }
    for (; used < markLabels.size(); ++used)
        markLabels[used]->setVisible(false);
}

} // namespace tilewright::ui
