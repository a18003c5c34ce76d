// SPDX-License-Identifier: GPL-3.0-or-later
// Measures from which size on a scheme's program is faster than its leaf, by the ordinary evaluator: at each size both
// are built, checked and screened in pairs, under the device's lock. Blocks, in an event loop of its own on the calling
// thread.
#pragma once

#include "core/compare/crossover_sweep.h"
#include "core/engine/measuring/one_evaluation.h"

#include <functional>

namespace tilewright {

struct CrossoverOrder {
    TaskPack pack; ///< the derived task: what its programs may do and how exact they have to be
    std::string program, leaf; ///< the texts that are compared
    std::string device; ///< a name for deviceNamed()
};

struct CrossoverWatch {
    EvaluationWatch evaluation = {};
    std::function<void(const CrossoverSweep&, std::int64_t size)> begun = {}; ///< a size
    std::function<void(const CrossoverSweep&)> done = {}; ///< a size
};

/// Measures the sizes that `sweep` lacks, from the smallest. Errors end it, and the sizes that are done stay: those of
/// the machine as of OneEvaluation, compare/opponent (the leaf is refused), "cancelled"; crossover/device: what is done
/// was measured on another device.
Result<void> runCrossover(const CrossoverOrder& order, CrossoverSweep& sweep, const CrossoverWatch& watch);

} // namespace tilewright
