// SPDX-License-Identifier: GPL-3.0-or-later
// What a run that rests left on its way.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// Its way is not over, and it waits for nobody's word: while the run rests, nothing works at it.
bool isOnItsWay(const Candidate& candidate);

/// Candidates that the next start takes up.
std::int64_t leftOver(const RunState& run);

/// Neither they nor a measurement that a person wants once more.
bool hasNothingLeft(const RunState& run);

} // namespace tilewright
