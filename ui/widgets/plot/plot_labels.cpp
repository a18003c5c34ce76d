// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_labels.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <vector>

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

namespace {

/// Lines that a name may stand away from its own; beyond that it would be read as another one's.
constexpr double mostAway = 3;

/// Neighbours that would lie upon each other, as one block.
struct LabelBlock {
    double top = 0; ///< middle of the first
    std::size_t count = 0;
};

/// Of places in order: so that the distances of each block from what is wanted are the least, in squares.
std::vector<double> spread(const std::vector<double>& wanted, double height, double top, double bottom)
{
    std::vector<LabelBlock> blocks;
    const auto fitted = [&](double middle, std::size_t count) {
        const double last = bottom - height * (static_cast<double>(count) - 0.5);
        return std::max(std::min(middle, last), top + height / 2);
    };
    for (const double at : wanted) {
        LabelBlock block{fitted(at, 1), 1};
        while (!blocks.empty() && blocks.back().top + height * static_cast<double>(blocks.back().count) > block.top) {
            const auto before = static_cast<double>(blocks.back().count), own = static_cast<double>(block.count);
            // The mean of where each of both would have the first of all.
            const double middle = (blocks.back().top * before + (block.top - height * before) * own) / (before + own);
            block = {fitted(middle, blocks.back().count + block.count), blocks.back().count + block.count};
            blocks.pop_back();
        }
        blocks.push_back(block);
    }
    std::vector<double> places;
    for (const LabelBlock& block : blocks)
        for (std::size_t i = 0; i < block.count; ++i)
            places.push_back(block.top + height * static_cast<double>(i));
    return places;
}

} // namespace

QVector<std::optional<double>> placeEndLabels(const QVector<double>& wanted, double height, double top, double bottom)
{
    std::vector<std::pair<double, qsizetype>> kept; // where, whose
    for (qsizetype i = 0; i < wanted.size(); ++i)
        kept.emplace_back(wanted[i], i);
    std::ranges::stable_sort(kept, {}, &std::pair<double, qsizetype>::first);
    while (!kept.empty()) {
        std::vector<double> middles;
        for (const auto& [middle, whose] : kept)
            middles.push_back(middle);
        const std::vector<double> places = spread(middles, height, top, bottom);
        const auto awayOf = [&](std::size_t i) { return std::abs(places[i] - middles[i]); };
        std::size_t worst = 0;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (awayOf(i) >= awayOf(worst)) // of several the last one
                worst = i;
        const bool isFull = places.back() > bottom - height / 2 + 0.5;
        if (!isFull && awayOf(worst) <= mostAway * height) {
            QVector<std::optional<double>> found(wanted.size());
            for (std::size_t i = 0; i < places.size(); ++i)
                found[kept[i].second] = places[i];
            return found;
        }
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(worst));
    }
    return QVector<std::optional<double>>(wanted.size());
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
