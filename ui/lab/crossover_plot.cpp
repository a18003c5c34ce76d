// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/crossover_plot.h"

#include "core/base/format.h"
#include "ui/lab/crossover_run.h"
#include "ui/models/display_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr Marker measuredMarker{MarkerShape::Diamond, 2};

QString fixed(double value, int digits) { return text(fixedText(value, digits)); }

QString intervalWords(const Interval& ratio) { return u"[%1, %2]"_s.arg(fixed(ratio.lo, 3), fixed(ratio.hi, 3)); }

std::vector<CrossoverCell> measuredCells(const CrossoverSweep& sweep)
{
    std::vector<CrossoverCell> cells;
    std::ranges::copy_if(
        sweep.cells, std::back_inserter(cells), [](const CrossoverCell& cell) { return cell.ratio.has_value(); });
    std::ranges::sort(cells, {}, &CrossoverCell::size);
    return cells;
}

QString timeWords(double ns) { return ns > 0 ? shortTime(ns) : u"–"_s; }

/// Upright lines at the crossover and at the ends of its interval.
void addCrossoverLines(PointScene& scene, const CrossoverSweep& sweep, double low, double high)
{
    const Crossover crossover = crossoverOf(sweep.points());
    for (const auto& [size, isMain] :
        {std::pair(crossover.size, true), std::pair(crossover.lo, false), std::pair(crossover.hi, false)}) {
        if (!size || (!isMain && size == crossover.size))
            continue;
        PointLine line;
        line.points = {{*size, low}, {*size, high}};
        line.tone = isMain ? PointLine::Tone::Front : PointLine::Tone::Quiet;
        line.isDashed = !isMain;
        if (isMain)
            line.label = CrossoverRun::tr("crossover %1").arg(std::llround(*size));
        scene.lines.push_back(line);
    }
}

PointMark markOf(const CrossoverSweep& sweep, const CrossoverCell& cell)
{
    PointMark mark;
    mark.marker = measuredMarker;
    mark.name = comparedWords(sweep);
    mark.aside = CrossoverRun::tr("n = %1").arg(cell.size);
    mark.lines = {CrossoverRun::tr("%1 times as fast as the leaf, 95 % interval %2")
                      .arg(fixed(cell.ratio->value, 3), intervalWords(*cell.ratio))};
    if (cell.programNs > 0)
        mark.lines << CrossoverRun::tr("%1, the leaf %2").arg(shortTime(cell.programNs), timeWords(cell.leafNs));
    if (cell.samples > 0)
        mark.lines << CrossoverRun::tr("median of %1 samples").arg(cell.samples);
    return mark;
}

} // namespace

QString provenanceWords(const KeptCrossover& kept)
{
    const QString date = text(kept.sweep.date).left(10), device = text(kept.sweep.device);
    return kept.isOfThisMachine ? CrossoverRun::tr("measured %1, %2").arg(date, device)
                                : CrossoverRun::tr("recorded, %1, %2").arg(device, date);
}

QString comparedWords(const CrossoverSweep& sweep)
{
    const QString scheme = sweep.scheme.empty()
        ? CrossoverRun::tr("%1 with %2 products").arg(text(sweep.format)).arg(sweep.rank)
        : text(sweep.scheme);
    return sweep.levels == 1
        ? CrossoverRun::tr("%1, one level over %2").arg(scheme, text(sweep.leaf))
        : CrossoverRun::tr("%1, %2 levels over %3").arg(scheme, QString::number(sweep.levels), text(sweep.leaf));
}

QString crossoverWords(const CrossoverSweep& sweep)
{
    const std::vector<CrossoverCell> cells = measuredCells(sweep);
    if (cells.empty())
        return CrossoverRun::tr("No size has a figure yet.");
    const Crossover crossover = crossoverOf(sweep.points());
    const std::int64_t first = cells.front().size, last = cells.back().size;
    const auto bound = [&](const std::optional<double>& size) {
        return !size                              ? CrossoverRun::tr("above %1").arg(last)
            : *size <= static_cast<double>(first) ? CrossoverRun::tr("at most %1").arg(first)
                                                  : QString::number(std::llround(*size));
    };
    if (crossover.size && *crossover.size <= static_cast<double>(first))
        return CrossoverRun::tr("The scheme's program is faster than its leaf at all measured sizes, %1 to %2.")
            .arg(first)
            .arg(last);
    if (crossover.size)
        return CrossoverRun::tr("Crossover at n = %1, 95 % interval from %2 to %3: from there on the scheme's program "
                                "is faster than its leaf.")
            .arg(bound(crossover.size), bound(crossover.lo), bound(crossover.hi));
    return crossover.lo
        ? CrossoverRun::tr("No crossover is seen up to n = %1; its 95 % interval begins at %2.")
              .arg(QString::number(last), bound(crossover.lo))
        : CrossoverRun::tr("No crossover up to n = %1: the leaf is faster at all measured sizes.").arg(last);
}

PointScene crossoverScene(const KeptCrossover* kept)
{
    PointScene scene;
    scene.x = {CrossoverRun::tr("n, square matrices"), true};
    scene.y = {CrossoverRun::tr("leaf's time / program's time")};
    scene.headings = {CrossoverRun::tr("n"), CrossoverRun::tr("Ratio"), CrossoverRun::tr("95 % interval"),
        CrossoverRun::tr("Program"), CrossoverRun::tr("Leaf"), CrossoverRun::tr("Samples")};
    scene.figures = {0, 1, 3, 4, 5};
    if (!kept) {
        scene.nothing = CrossoverRun::tr("Nothing is measured or recorded for this scheme. Measure builds, checks and "
                                         "times its program beside its leaf on this machine.");
        return scene;
    }
    const std::vector<CrossoverCell> cells = measuredCells(kept->sweep);
    double low = 1, high = 1;
    PointLine own;
    own.tone = PointLine::Tone::Program;
    own.marker = measuredMarker;
    for (const CrossoverCell& cell : cells) {
        low = std::min(low, cell.ratio->lo);
        high = std::max(high, cell.ratio->hi);
        const auto n = static_cast<double>(cell.size);
        PointMark mark = markOf(kept->sweep, cell);
        mark.at = {n, cell.ratio->value};
        mark.spanY = {cell.ratio->lo, cell.ratio->hi};
        scene.marks.push_back(mark);
        own.points << mark.at;
        scene.rows.push_back({QString::number(cell.size), fixed(cell.ratio->value, 3), intervalWords(*cell.ratio),
            timeWords(cell.programNs), timeWords(cell.leafNs),
            cell.samples > 0 ? QString::number(cell.samples) : u"–"_s});
    }
    const double room = std::max((high - low) * 0.12, 0.02);
    scene.y.range = {low - room, high + room};
    PointLine same;
    same.points = {{1, 1}, {1e6, 1}};
    same.isDashed = true;
    same.label = CrossoverRun::tr("as fast as the leaf");
    scene.lines = {same, own};
    addCrossoverLines(scene, kept->sweep, low - room, high + room);
    scene.summary = provenanceWords(*kept);
    return scene;
}

void addMeasured(PointScene& scene, const KeptCrossover& kept, const std::function<double(double n)>& definition,
    double low, double high)
{
    for (const CrossoverCell& cell : measuredCells(kept.sweep)) {
        const auto n = static_cast<double>(cell.size);
        PointMark mark = markOf(kept.sweep, cell);
        mark.size = PointMark::Size::Small;
        mark.at = {n, definition(n) / cell.ratio->value};
        mark.spanY = {definition(n) / cell.ratio->hi, definition(n) / cell.ratio->lo};
        mark.lines << provenanceWords(kept);
        scene.marks.push_back(mark);
    }
    addCrossoverLines(scene, kept.sweep, low, high);
    scene.legend.push_back({measuredMarker, CrossoverRun::tr("measured beside its leaf"), {}});
}

} // namespace tilewright::ui
