// SPDX-License-Identifier: GPL-3.0-or-later
// What a run does, in the words of toolbar and status line.
#pragma once

#include "core/engine/run_activity.h"

#include <QString>

namespace tilewright::ui {

/// "Running", "Waiting: 4 prompts", "Blocked: 8 reviews", "Paused"; "" without a session.
QString activityWords(const RunActivity& activity);
/// Without the state: "4 prompts"; the state where there is nothing else.
QString shortActivityWords(const RunActivity& activity);

} // namespace tilewright::ui
