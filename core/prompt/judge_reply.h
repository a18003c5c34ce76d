// SPDX-License-Identifier: GPL-3.0-or-later
// What a reply to the template `judge` says. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// Of the last JSON object with a verdict that the reply holds, whatever stands around it; Unclear where there is none.
/// A candidate that the run does not have, and a ratio that is no positive number, count as not named. Inquiry and
/// candidate are left to the caller.
Judgement judgementIn(const std::string& reply, const RunState& state);

} // namespace tilewright
