// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// The candidate that goes on because of a person's word and is being measured, or was: the word can no longer be taken
/// back. Null while it can.
const Candidate* measuredAfter(const RunState& state, const Review& review);

} // namespace tilewright
