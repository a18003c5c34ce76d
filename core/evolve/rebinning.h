// SPDX-License-Identifier: GPL-3.0-or-later
// When the niches of a run are cut anew, because its programs fill another range than the grid covers. Pure.
#pragma once

#include "core/model/run_state.h"

#include <functional>
#include <optional>

namespace tilewright {

/// The scales that fit the ranked programs which live on the islands; none while the present ones do. They do not
/// where a tenth of the programs lies outside of an axis, or where all of them together fill less than half of it: the
/// grid then keeps few of them apart, and MAP-Elites with it (as the grids of CVT-MAP-Elites and of OpenEvolve follow
/// what was found). Looked at once in 12 admissions, and of 12 programs or more. `feature`: what an axis measures of a
/// program; none where it cannot be computed.
std::optional<std::vector<NicheScale>> dueScales(const RunState& state, const Task& task,
    const std::function<std::optional<double>(const NicheAxis&, const Candidate&)>& feature);

} // namespace tilewright
