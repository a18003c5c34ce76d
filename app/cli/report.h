// SPDX-License-Identifier: GPL-3.0-or-later
// A run as JSON and as lines for a terminal: what `evolve --json` ends with and what `show` prints. Figures come from
// the run's state as it is, so they equal the window's. Pure.
#pragma once

#include "core/model/run_state.h"

#include <functional>

namespace tilewright::cli {

/// session, task, evaluations, wall_s, outcomes{}, best{…} or null, trace[{evaluations, score}].
nlohmann::json runJson(const std::string& session, const RunState& state);
/// First the run's best, which won the direct comparison; then those that rank by their scores, some of which may be
/// higher; then the rest; newest last among equals. Copies that migrated are left out.
std::vector<const Candidate*> topOf(const RunState& state, std::size_t top);
std::vector<const Candidate*> allOf(const RunState& state); ///< by their number
/// The same as runJson, and phase, device, settings, islands[], questions and answers with models and templates, the
/// run's memory, and the listed candidates[] with all figures. textOf: a text of the session by its hash.
nlohmann::json showJson(const std::string& session, const RunState& state, const std::vector<const Candidate*>& listed,
    const std::function<std::string(const Hash&)>& textOf);
std::string runText(const std::string& session, const RunState& state);
std::string showText(const std::string& session, const RunState& state, const std::vector<const Candidate*>& listed);

} // namespace tilewright::cli
