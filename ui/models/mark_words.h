// SPDX-License-Identifier: GPL-3.0-or-later
// A person's marks on a candidate, in words for the screen. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

/// "starred · pinned · ×2 · fast odd"; empty without marks. What a re-run contradicts says so first.
QString markWords(const RunState& run, const Candidate& candidate);

} // namespace tilewright::ui
