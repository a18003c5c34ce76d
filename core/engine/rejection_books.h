// SPDX-License-Identifier: GPL-3.0-or-later
// A person's rejection in the books of the model that wrote the edit: an outcome without a gain, and taken back none at
// all. From the record alone, so that it holds whether or not anybody is asked for edits now. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// What becomes of the model's books once the edit is rejected; none where no model wrote it.
std::optional<events::ArmChanged> rejectionBooked(const RunState& state, const Candidate& candidate);
/// The same once the rejection is taken back.
std::optional<events::ArmChanged> rejectionTakenBack(const RunState& state, const Candidate& candidate);

} // namespace tilewright
