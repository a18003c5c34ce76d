// SPDX-License-Identifier: GPL-3.0-or-later
// A session run to its end in this process: progress on standard error, Ctrl-C, SIGTERM and SIGHUP, result and exit
// code. Shared by `evolve` and `resume`. Main thread.
#pragma once

#include "core/engine/engine.h"

namespace tilewright::cli {

/// Runs the engine that `start` sets going until its phase ends; the exit code. With json the result object goes to
/// standard output, else a summary.
int runToEnd(Engine& engine, bool json, const std::function<void()>& start);

} // namespace tilewright::cli
