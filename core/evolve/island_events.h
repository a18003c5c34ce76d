// SPDX-License-Identifier: GPL-3.0-or-later
// From a user's order to the events that carry it out. Pure: the caller records what comes back.
#pragma once

#include "core/evolve/islands.h"
#include "core/model/islands/island_command.h"

#include <functional>

namespace tilewright {

/// Errors: island/value.
Result<void> checkSteering(const IslandSteering& steering);
/// takesPart: whether an island can be an end of a way. Errors: island/value, island/itself, and those of takesPart().
Result<void> checkPlan(const MigrationPlan& plan, const std::function<Result<void>(IslandId)>& takesPart);

/// The events of an order, to be recorded in their order, without anything in between. Empty where all is as it was
/// ordered already. Errors: island/unknown, island/itself, island/value (weights, a temperature, an interval, an edge
/// that makes no sense), island/ended, island/last (nobody would be asked any more), island/paused, island/living,
/// island/seed (nothing was measured yet), island/too-many, island/no-steering commands (the island's strategy knows no
/// such order), island/undo (nothing is left to take back).
Result<std::vector<EventBody>> eventsOf(const IslandCommand& order, const RunState& state);

/// The error island/no-steering commands of a strategy.
Error noSteering(const std::string& strategy);

} // namespace tilewright
