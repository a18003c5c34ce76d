// SPDX-License-Identifier: GPL-3.0-or-later
// What a user changed in the run, as marks on the fitness plot's time axis. Pure.
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

// Where elites went to other islands, as guides on the fitness plot's time axis: one for each moment, in the colour of
// the island that got a new best by it, else of the only one that got something. Pure.

struct FitnessMigrations {
    QVector<PlotGuide> guides; ///< in order of x
    std::vector<std::vector<std::size_t>> migrations; ///< of each guide: places in RunState::migrations
};

/// Those to islands that are shown. Over generations a moment has no place.
FitnessMigrations migrationsOf(
    const RunState& run, RunAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown);
/// "c-0251, C → B: new best 2.31×", "c-0251, C → B".
QString migrationWords(const RunState& run, const MigrationMark& migration);

} // namespace tilewright::ui
