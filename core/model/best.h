// SPDX-License-Identifier: GPL-3.0-or-later
// Who is the best: of an island among its ranked members, of the run among those that were proven faster side by side.
// Whoever is banned is neither, and is again what it was once the ban is lifted.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// The best of the island's members; none where nobody there is ranked.
void findBest(const RunState& state, Island& island);
/// It was measured again: what its screening said of it on islands falls, or stands, with what is known now, and so
/// does the trace of their bests.
void reviseBest(RunState& state, CandidateId measured);
/// It, or what it is a copy of, was banned: islands and run go on with the next best. That of the run is whom it took
/// the place of: those that were measured beside it were not proven faster than that one. The traces of the bests fall
/// from here on; what they were until now stays.
void loseBest(RunState& state);
/// The ban of that one is lifted: it and its copies are the best again where they would be.
void regainBest(RunState& state, CandidateId candidate);

} // namespace tilewright
