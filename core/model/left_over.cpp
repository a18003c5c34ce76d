// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/left_over.h"

#include <algorithm>

namespace tilewright {

bool isOnItsWay(const Candidate& candidate) { return !candidate.isOver() && candidate.stage != Stage::Review; }

std::int64_t leftOver(const RunState& run) { return std::ranges::count_if(run.candidates, isOnItsWay); }

bool hasNothingLeft(const RunState& run)
{
    return leftOver(run) == 0 && run.waitingReviews == 0 && std::ranges::none_of(run.reruns, &Rerun::isOpen);
}

} // namespace tilewright
