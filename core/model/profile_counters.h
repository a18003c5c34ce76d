// SPDX-License-Identifier: GPL-3.0-or-later
// What Nsight Compute counted in a candidate's launches, in plain words. The node keeps its counters by their own
// names, in the environment of the re-run that asked for them: {"shape", "launches": [{"kernel", "counters": [{"name",
// "value", "unit"}]}]}. Pure.
#pragma once

#include "core/model/run_state.h"

#include <string>
#include <vector>

namespace tilewright {

/// "25.5 MB moved to and from memory"; the counter's own name where it is none that is asked for.
std::string counterWords(const std::string& name, double value, const std::string& unit);
/// One line for each launch: its kernel and what was counted. Empty where nothing was, or in another form.
std::vector<std::string> profileLines(const nlohmann::json& counters);
/// The newest counters of a candidate; null where no profiler ran.
nlohmann::json countersOf(const RunState& state, CandidateId candidate);

} // namespace tilewright
