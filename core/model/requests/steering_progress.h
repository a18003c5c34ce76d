// SPDX-License-Identifier: GPL-3.0-or-later
// How far a user's steering request is, and what came of it. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// In words for a user: "waiting to be sent", "sent to m1, …", "c-0012 came of it", "the answer was refused: …".
struct SteeringProgress {
    ModelRequestId asked; ///< the newest question that was put for it
    CandidateId made; ///< the newest candidate that came of it
    std::string words;
    std::string rule; ///< the code that they end with, where they end with one
};
SteeringProgress progressOf(const RunState& state, const SteeringRequest& steering);

} // namespace tilewright
