// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can order islands to do while a run goes on.
#pragma once

#include "core/model/islands/island_steering.h"

#include <variant>

namespace tilewright {

namespace commands {
struct PauseIsland {
    IslandId island;
};
struct ResumeIsland {
    IslandId island;
};
/// From here on it is steered like this, whole.
struct SteerIsland {
    IslandId island;
    IslandSteering steering;
};
/// A new one that begins with the seed.
struct AddIsland {
    std::string name; ///< empty: by its focus
    Focus focus = Focus::Explore;
};
/// A new one with the same members, as candidates of its own, and the same steering.
struct CloneIsland {
    IslandId island;
};
/// Its members compete in the other; it ends.
struct MergeIsland {
    IslandId island, into;
};
/// What a reset island begins again with: the seed, or a migrant of the island that has the best candidate.
enum class Beginning { Seed, Best };
struct ResetIsland {
    IslandId island; ///< none: the weakest, whose best is the lowest of those that have not ended
    Beginning beginning = Beginning::Seed;
};
struct PlanMigration {
    MigrationPlan plan;
};
/// Takes back the newest order that still holds.
struct UndoIslandCommand {
};
} // namespace commands

using IslandCommand = std::variant<commands::PauseIsland, commands::ResumeIsland, commands::SteerIsland,
    commands::AddIsland, commands::CloneIsland, commands::MergeIsland, commands::ResetIsland, commands::PlanMigration,
    commands::UndoIslandCommand>;

} // namespace tilewright
