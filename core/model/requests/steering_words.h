// SPDX-License-Identifier: GPL-3.0-or-later
// How islands are steered and where migrants go, as words of a command line and back. Pure.
#pragma once

#include "core/base/result.h"
#include "core/model/islands/island_steering.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tilewright {

/// With one thing changed. what: focus (a focus, or "strategy"), mix ("explore=2,exploit=1", or "strategy"; of
/// proposers "mutator=1,model:NAME=2", or "session"), selection
/// (a number) or temperature (a number, or "none"). Error: island/value.
Result<IslandSteering> steeredBy(IslandSteering steering, const std::string& what, const std::string& word);
/// What leads there from an island as the strategy has it: "focus=tune", "selection=0.5", …
std::vector<std::string> stepsTo(const IslandSteering& steering);

/// The plan with other ways: "ring", "off", or drawn ones: "A>B,B>C". Whether there are such islands is not asked here.
/// Error: island/value.
Result<MigrationPlan> plannedBy(MigrationPlan plan, const std::string& word);
/// What plannedBy() takes for the ways of the plan.
std::string wordOfWays(const MigrationPlan& plan);

/// Bytes of what a user tells the models of an island. It is never left out of a prompt, and must not crowd out the
/// rest.
inline constexpr std::size_t longestHint = 4000;

} // namespace tilewright
