// SPDX-License-Identifier: GPL-3.0-or-later
// A task pack's seed run on every shape of the task by this machine's node, as a candidate would be checked.
#pragma once

#include "core/model/task.h"

#include <functional>

namespace tilewright::cli {

/// What is being done, how far it is and of how much; 0 where that is not known.
using PackProgress = std::function<void(const std::string& stage, double done, double of)>;

/// Names of the gates that the seed passed. Errors: the rule that refused it, with shape and inputs as evidence;
/// task/loose where a cheat would pass as well; node/… and machine/… where it could not be tried.
Result<std::vector<std::string>> runSeed(const TaskPack& pack, const PackProgress& progress);

} // namespace tilewright::cli
