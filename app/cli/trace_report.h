// SPDX-License-Identifier: GPL-3.0-or-later
// How the best of a run came about, as `show` tells it. Pure.
#pragma once

#include "core/model/best_trace.h"

namespace tilewright::cli {

/// evaluations, candidate, evaluation, confirmed, score, interval, vs_vendor, heldout_vs_vendor, vendor_library,
/// moves_added[], moves_removed[], constants[] of each step.
nlohmann::json traceJson(const RunState& state, const std::vector<BestStep>& steps);
std::string traceText(const RunState& state, const std::vector<BestStep>& steps);

} // namespace tilewright::cli
