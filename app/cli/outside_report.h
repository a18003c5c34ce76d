// SPDX-License-Identifier: GPL-3.0-or-later
// What a run asked outside and what came of it, as JSON and as lines for a terminal. Pure.
#pragma once

#include "core/model/best.h"
#include "core/model/run_state.h"

#include <functional>

namespace tilewright::cli {

/// {asked, open, complete, incomplete, failed, lost, repeated, tokens, tokens_guessed, cost_usd, unpriced, at_least}.
/// cost_usd is null where only answers of unknown price came.
nlohmann::json modelRequestsJson(const RunState& state);
/// By model: picks, outcomes, reward, cost, failures, why it is paused.
nlohmann::json ensembleJson(const RunState& state);
/// {by_template[], by_model[]}: acceptance, build rate and mean gain with interval, what was asked and what it cost.
nlohmann::json statisticsJson(const RunState& state);
/// Notes of the run's memory, oldest first, with their texts.
nlohmann::json insightsJson(const RunState& state, const std::function<std::string(const Hash&)>& textOf);
/// What was saved of prompt templates in the run, oldest first; "" as text: taken away.
nlohmann::json templatesJson(const RunState& state);
/// A table of models, and one of templates; empty where nobody was asked.
std::string outsideText(const RunState& state);

// What `show --json` tells of the user's hand on candidates: marks, steering requests, placements, further
// measurements.

nlohmann::json marksJson(const Marks& marks);
nlohmann::json steeringRequestsJson(const RunState& state);
/// What models said of edits that a user asked them about, with who, what version of the template, tokens and cost.
nlohmann::json judgementsJson(const RunState& state);
nlohmann::json placementsJson(const RunState& state);
nlohmann::json rerunsJson(const RunState& state);

// How the best of a run came about, as `show` tells it. Pure.

/// evaluations, candidate, evaluation, confirmed, score, interval, vs_vendor, heldout_vs_vendor, vendor_library,
/// moves_added[], moves_removed[], constants[] of each step.
nlohmann::json traceJson(const RunState& state, const std::vector<BestStep>& steps);
std::string traceText(const RunState& state, const std::vector<BestStep>& steps);

} // namespace tilewright::cli
