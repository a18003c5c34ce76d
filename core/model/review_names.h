// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/names.h"
#include "core/model/review.h"

namespace tilewright {

inline constexpr NameTable<ReviewPolicy, 3> reviewPolicyNames{
    {{ReviewPolicy::Automatic, "automatic"}, {ReviewPolicy::Risky, "risky"}, {ReviewPolicy::Every, "every"}}};
inline constexpr NameTable<Decision, 5> decisionNames{{{Decision::Waiting, "waiting"}, {Decision::Deferred, "deferred"},
    {Decision::Approved, "approved"}, {Decision::Edited, "edited"}, {Decision::Rejected, "rejected"}}};

} // namespace tilewright
