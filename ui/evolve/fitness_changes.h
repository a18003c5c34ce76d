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
/// Of each change whether a later one took it back, so that it does not hold.
std::vector<bool> takenBack(const Chunked<RunChange>& changes);
/// "B paused", "budget", "C focus", "B c-0012 ban lifted".
QString changeLabel(const RunChange& change);
/// "focus of island B: left to the strategy → tune", "c-0012 ban lifted (marks: banned → none)".
QString changeSentence(const RunChange& change);

} // namespace tilewright::ui
