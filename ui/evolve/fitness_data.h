// SPDX-License-Identifier: GPL-3.0-or-later
// What the fitness plot shows of a run, as plain values: dots, best-so-far steps, failures. Pure.
#pragma once

#include "ui/evolve/fitness_look.h"
#include "ui/theme/tokens.h"
#include "ui/widgets/plot_view.h"

#include <functional>
#include <vector>

namespace tilewright::ui {

struct FitnessData {
    QVector<PlotSeries> series; ///< one an island that is shown
    std::vector<IslandId> islands; ///< of each series
    QVector<PlotReference> references; ///< baseline and vendor, where they are known
    QStringList measured; ///< how each of them is known
    QString valueName; ///< of the left axis, with its unit
    std::vector<std::vector<CandidateId>> candidates; ///< of each dot
    QVector<PlotTick> failures;
    qsizetype failed = 0; ///< those without a place on the axis as well
    /// What a logarithmic axis shows at first: from the worst twentieth, or the seed if that is worse, to the best.
    std::optional<std::pair<double, double>> bulk;
    double unit = 1; ///< of the left axis, in nanoseconds where it has times
};

/// How its line is drawn: eight islands have a colour of their own; beyond them the line tells them apart.
Qt::PenStyle islandLine(IslandId island);
/// What a ranked candidate has of that value, times in nanoseconds as the geometric mean over the training shapes; none
/// where it was not measured.
std::optional<double> fitnessOf(const RunState& run, const Candidate& candidate, FitnessValue value);
/// Nanoseconds, or a factor, as a person reads them.
QString fitnessWords(double value, FitnessValue kind);
/// `vendor`: the vendor's library by its name, for its line.
FitnessData fitnessOf(const RunState& run, const FitnessLook& look, const Tokens& tokens, const QString& vendor,
    const std::function<bool(IslandId)>& isShown);
/// Where a value stands on the left axis of that data.
double heightOf(double value, const FitnessData& data);

} // namespace tilewright::ui
