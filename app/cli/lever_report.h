// SPDX-License-Identifier: GPL-3.0-or-later
// What `show --json` tells of the person's hand on candidates: marks, wishes, placements, further measurements.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::cli {

nlohmann::json marksJson(const Marks& marks);
nlohmann::json wishesJson(const RunState& state);
nlohmann::json placementsJson(const RunState& state);
nlohmann::json rerunsJson(const RunState& state);

} // namespace tilewright::cli
