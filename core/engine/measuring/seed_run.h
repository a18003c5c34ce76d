// SPDX-License-Identifier: GPL-3.0-or-later
// A task's seed built and checked by this machine's node, as a candidate would be, before anybody uses the task. The
// node judges the task with it: whether its limits still catch the built-in cheats. Blocks, in an event loop of its own
// on the calling thread.
#pragma once

#include "core/model/task/task.h"
#include "core/protocol/messages.h"

#include <functional>

namespace tilewright {

enum class SeedGates {
    Few, ///< as for screening: without held-out shapes, few kinds of inputs
    All,
};

struct SeedWatch {
    std::function<void(const Progress&)> progressed = {}; ///< at most twice a second
    std::function<bool()> isCancelled = {}; ///< asked a few times a second
};

/// Names of the gates that the seed passed. Errors: the rule that refused it, with shape and inputs as evidence;
/// task/loose where a cheat would pass as well; build/no-compiler, node/… and machine/… where it could not be tried;
/// cancelled.
Result<std::vector<std::string>> runSeed(const TaskPack& pack, SeedGates gates, const SeedWatch& watch);

} // namespace tilewright
