// SPDX-License-Identifier: GPL-3.0-or-later
// What `show --json` tells of the person's hand on candidates: marks, wishes, placements, further measurements.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::cli {

nlohmann::json marksJson(const Marks& marks);
nlohmann::json wishesJson(const RunState& state);
/// What models said of edits that a person asked them about, with who, what version of the template, tokens and cost.
nlohmann::json judgementsJson(const RunState& state);
nlohmann::json placementsJson(const RunState& state);
nlohmann::json rerunsJson(const RunState& state);

} // namespace tilewright::cli
