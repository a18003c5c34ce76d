// SPDX-License-Identifier: GPL-3.0-or-later
// A task pack's seed and reference, or one program, tried with the compiler alone.
#pragma once

#include "core/model/task.h"
#include "core/node/build_cache.h"

#include <optional>
#include <string>

namespace tilewright::cli {

/// The compiler's and the object rules' word on both texts, as a node would hear it. Errors: task/file, and
/// build/no-compiler when there is none to try it with. Returns the GPU that stood for one of this machine, which has
/// none: "NVIDIA H200"; else nothing.
Result<std::string> checkCompiles(const TaskPack& pack);

/// What a compiler makes of a program for a GPU where there is none to run it on.
struct BuiltForAnother {
    std::string gpu; ///< "NVIDIA H200 (sm_90a)"
    BuildOutcome outcome;
};
/// Nothing where no compiler is, or where it is the machine that fails.
std::optional<BuiltForAnother> buildWithoutGpu(const Task& task, const std::string& source);

} // namespace tilewright::cli
