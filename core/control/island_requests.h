// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said about islands from outside: words of a command line to orders, and islands to JSON. Pure.
#pragma once

#include "core/model/islands/island_command.h"
#include "core/model/run_state.h"

#include <nlohmann/json.hpp>

namespace tilewright {

/// The order of {"do": "island", "words": ["focus", "B", "tune"]}. Errors: usage, island/unknown, island/value.
Result<IslandCommand> islandCommandOf(const RunState& run, const nlohmann::json& request);
/// The order of {"do": "migration", "words": ["A>B,B>C"], "interval": 4}; what is not named stays. Errors as above.
Result<IslandCommand> migrationCommandOf(const RunState& run, const nlohmann::json& request);

/// Id, name, standing, focus, steering and population of each, and the plan of migration.
nlohmann::json islandsAnswer(const RunState& run);

} // namespace tilewright
