// SPDX-License-Identifier: GPL-3.0-or-later
// Where elites went to other islands, as guides on the fitness plot's time axis: one for each moment, in the colour of
// the island that got a new best by it, else of the only one that got something. Pure.
#pragma once

#include "ui/evolve/fitness_data.h"

namespace tilewright::ui {

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
