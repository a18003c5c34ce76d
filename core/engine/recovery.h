// SPDX-License-Identifier: GPL-3.0-or-later
// What a run that was cut off kept. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// "Recovered 312 evaluations, 1 was incomplete.": those with a result, as everything else counts them, and what was
/// under way. Empty where nothing was lost.
std::string wordsOfRecovery(const RunState& state);

} // namespace tilewright
