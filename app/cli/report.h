// SPDX-License-Identifier: GPL-3.0-or-later
// A run as JSON and as lines for a terminal: what `evolve --json` ends with and what `show` prints. Figures come from
// the run's state as it is, so they equal the window's. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::cli {

/// session, task, evaluations, wall_s, outcomes{}, best{…} or null, trace[{evaluations, score}].
nlohmann::json runJson(const std::string& session, const RunState& state);
/// The same, and phase, device, settings, islands[], candidates[] with all figures, the best `top` of them.
nlohmann::json showJson(const std::string& session, const RunState& state, std::size_t top);
std::string runText(const std::string& session, const RunState& state);
std::string showText(const std::string& session, const RunState& state, std::size_t top);

} // namespace tilewright::cli
