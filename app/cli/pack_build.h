// SPDX-License-Identifier: GPL-3.0-or-later
// A task pack's seed and reference tried with the compiler.
#pragma once

#include "core/model/task.h"

namespace tilewright::cli {

/// The compiler's and the object rules' word on both texts, as a node would hear it. Errors: task/file, and
/// build/no-compiler when there is none to try it with.
Result<void> checkCompiles(const TaskPack& pack);

} // namespace tilewright::cli
