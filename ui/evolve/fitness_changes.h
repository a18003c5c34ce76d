// SPDX-License-Identifier: GPL-3.0-or-later
// What a person changed in the run, as marks on the fitness plot's time axis. Pure.
#pragma once

#include "ui/evolve/fitness_data.h"

namespace tilewright::ui {

struct FitnessChanges {
    QVector<PlotMark> marks; ///< in order of x
    std::vector<std::size_t> changes; ///< of each mark: its place in RunState::changes
};

/// Those of the run and of islands that are shown. Over generations a change has no place.
FitnessChanges changesOf(
    const RunState& run, RunAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown);
/// "B paused", "budget", "C focus".
QString changeLabel(const RunChange& change);
/// "focus of island B: left to the strategy → tune", in one line that fits a small card.
QString changeWords(const RunChange& change);

} // namespace tilewright::ui
