// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_labels.h"

#include <QStringList>
#include <algorithm>

namespace tilewright::ui {
namespace {

bool liesUpon(const QRectF& box, const QVector<QRectF>& taken)
{
    return std::ranges::any_of(taken, [&box](const QRectF& other) { return other.intersects(box); });
}

bool isCrossedBy(const QRectF& box, double x, double length, double top)
{
    return x > box.left() && x < box.right() && top + length > box.top();
}

} // namespace

QVector<std::optional<TickLabelPlace>> placeTickLabels(
    const QVector<TickLabel>& labels, const QRectF& plot, const TickRows& rows, const QVector<QRectF>& taken)
{
    QVector<std::optional<TickLabelPlace>> places(labels.size());
    QVector<double> lengths(labels.size(), rows.tickLength);
    QVector<QRectF> placed;
    for (int i = 0; i < labels.size(); ++i) {
        const double at = labels[i].x;
        if (at < plot.left() || at > plot.right())
            continue;
        for (int row = 0; row < rows.count && !places[i]; ++row)
            for (const bool isLeft : {false, true}) {
                if (isLeft && at + labels[i].width <= plot.right())
                    continue;
                const QRectF box(
                    isLeft ? at - labels[i].width : at, plot.top() + row * rows.height, labels[i].width, rows.height);
                const double length = std::max(rows.tickLength, (row + 1) * rows.height);
                const double reach = row == 0 ? rows.tickLength : length;
                bool isFree = plot.contains(box) && !liesUpon(box, taken) && !liesUpon(box, placed);
                const double from = isLeft ? box.left() - labels[i].width : box.left(); // or it would seem to be theirs
                for (auto other = std::ranges::upper_bound(labels, from, {}, &TickLabel::x) - labels.begin();
                     isFree && other < labels.size() && labels[other].x < box.right(); ++other)
                    isFree = std::abs(labels[other].x - at) <= 1 // they are one tick
                        || (!isLeft && !isCrossedBy(box, labels[other].x, lengths[other], plot.top()));
                isFree = isFree && std::ranges::none_of(placed, [&](const QRectF& before) {
                    return isCrossedBy(before, at, reach, plot.top());
                });
                if (!isFree)
                    continue;
                places[i] = TickLabelPlace{box, isLeft, reach};
                lengths[i] = reach;
                placed << box;
                break;
            }
    }
    return places;
}

int firstFree(const QVector<QRectF>& boxes, const QRectF& plot, const QVector<QRectF>& taken)
{
    for (int i = 0; i < boxes.size(); ++i)
        if (plot.contains(boxes[i]) && !liesUpon(boxes[i], taken))
            return i;
    return -1;
}

QString brokenInto(double width, const QString& words, const QFontMetricsF& metrics)
{
    QStringList lines;
    for (const QString& line : words.split(u'\n')) {
        lines << QString();
        for (const QString& word : line.split(u' ')) {
            const QString longer = lines.last().isEmpty() ? word : lines.last() + u' ' + word;
            if (lines.last().isEmpty() || metrics.horizontalAdvance(longer) <= width)
                lines.last() = longer;
            else
                lines << word;
        }
    }
    return lines.join(u'\n');
}

} // namespace tilewright::ui
