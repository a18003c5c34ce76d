// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_data.h"

#include "ui/models/figures.h"
#include "ui/models/format.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

struct Dot {
    double x, y;
    CandidateId id;
};

/// Running best of dots in order of x.
void addSteps(PlotSeries& series, const std::vector<Dot>& dots, double lastX)
{
    for (const Dot& dot : dots)
        if (series.stepY.isEmpty() || dot.y > series.stepY.last()) {
            series.stepX.append(dot.x);
            series.stepY.append(dot.y);
        }
    if (!series.stepX.isEmpty() && series.stepX.last() < lastX) {
        series.stepX.append(lastX);
        series.stepY.append(series.stepY.last());
    }
}

} // namespace

double fitnessPosition(const Candidate& candidate, FitnessAxis axis)
{
    if (candidate.evaluationNumber == 0)
        return -1;
    switch (axis) {
    case FitnessAxis::Evaluation:
        return static_cast<double>(candidate.evaluationNumber);
    case FitnessAxis::Generation: {
        // Spread a generation's candidates around its tick, the same way every time.
        const double spread = std::fmod(static_cast<double>(candidate.id.value) * 0.6180339887, 1.0) - 0.5;
        return candidate.generation + (candidate.generation ? spread * 0.6 : 0);
    }
    case FitnessAxis::WallTime:
        return static_cast<double>(candidate.finishedNs) / 60e9;
    }
    return -1;
}

FitnessData fitnessOf(
    const RunState& run, FitnessAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown)
{
    FitnessData data;
    std::vector<std::vector<Dot>> dots(run.islands.size());
    double lastX = axis == FitnessAxis::Evaluation ? static_cast<double>(run.evaluationsStarted) : 0;
    for (const Candidate& candidate : run.candidates) {
        const double x = fitnessPosition(candidate, axis);
        const auto island = static_cast<std::size_t>(candidate.island.value - 1);
        if (x < 0 || candidate.island.value < 1 || island >= dots.size() || !isShown(candidate.island))
            continue;
        if (candidate.isRanked() && candidate.score->value > 0 && !candidate.migrated)
            dots[island].push_back({x, candidate.score->value, candidate.id});
        else if (isFailure(candidate))
            data.failures.append({x, islandColour(tokens, candidate.island)});
        lastX = std::max(lastX, x);
    }
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const Island& island = run.islands[i];
        if (!isShown(island.id))
            continue;
        std::ranges::stable_sort(dots[i], {}, &Dot::x);
        PlotSeries series;
        series.colour = islandColour(tokens, island.id);
        std::vector<CandidateId> ids;
        for (const Dot& dot : dots[i]) {
            series.x.append(dot.x);
            series.y.append(dot.y);
            ids.push_back(dot.id);
        }
        // Bests that came by migration are in the island's trace only; on the other axes they have no place.
        std::vector<Dot> bests = dots[i];
        if (axis == FitnessAxis::Evaluation)
            for (const auto& [evaluation, best] : island.bestTrace)
                bests.push_back({static_cast<double>(evaluation), best, {}});
        std::ranges::stable_sort(bests, {}, &Dot::x);
        addSteps(series, bests, lastX);
        series.label = text(islandLetter(island.id));
        if (!series.stepY.isEmpty())
            series.label += QStringLiteral(" ") + times(series.stepY.last());
        data.series.append(series);
        data.candidates.push_back(std::move(ids));
    }
    return data;
}

} // namespace tilewright::ui
