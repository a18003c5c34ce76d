// SPDX-License-Identifier: GPL-3.0-or-later
// What the fitness plot shows of a run, as plain values: dots, best-so-far steps, failures. Pure.
#pragma once

#include "core/model/run_state.h"
#include "ui/theme/tokens.h"
#include "ui/widgets/plot_view.h"

#include <functional>
#include <vector>

namespace tilewright::ui {

enum class FitnessAxis { Evaluation, Generation, WallTime };

struct FitnessData {
    QVector<PlotSeries> series; ///< one an island that is shown
    std::vector<std::vector<CandidateId>> candidates; ///< of each dot
    QVector<PlotTick> failures;
};

/// Where a candidate stands on the axis; negative when it stands nowhere yet.
double fitnessPosition(const Candidate& candidate, FitnessAxis axis);
FitnessData fitnessOf(
    const RunState& run, FitnessAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown);

} // namespace tilewright::ui
