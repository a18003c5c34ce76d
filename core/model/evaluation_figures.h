// SPDX-License-Identifier: GPL-3.0-or-later
// What a result tells of its candidate: its figures from then on, and the line of the log. Part of apply(), see
// run_state.h.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// The candidate's figures are those of this result, and the run counts its outcome once.
void takeFigures(RunState& state, Candidate& candidate, const events::Evaluated& event);

LogLine lineOf(const Evaluation& evaluation);

} // namespace tilewright
