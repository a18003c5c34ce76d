// SPDX-License-Identifier: GPL-3.0-or-later
// A task pack looked at as its author needs it: all that loading sees, and what would only show while it runs.
#pragma once

#include "core/model/task.h"

namespace tilewright::cli {

/// The pack in the folder if it is good: it can be loaded, its texts and moves fit, its bounds catch the built-in
/// cheats, its seed and reference compile. Errors: those of loadTaskPack(), calibrateGates() and checkCompiles(),
/// task/file.
Result<TaskPack> checkedPack(const std::filesystem::path& folder);

} // namespace tilewright::cli
