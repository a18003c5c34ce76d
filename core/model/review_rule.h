// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a review policy makes wait: the one place of this rule. Pure.
#pragma once

#include "core/model/review.h"

namespace tilewright {

inline bool isAskedAbout(ReviewPolicy policy, const std::vector<std::string>& risks)
{
    return policy == ReviewPolicy::Every || (policy == ReviewPolicy::Risky && !risks.empty());
}

} // namespace tilewright
