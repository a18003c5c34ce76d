// SPDX-License-Identifier: GPL-3.0-or-later
// When a person's ban of a candidate came or went: what was known until then was known, and stays told so.
#pragma once

#include "core/base/ids.h"

#include <cstdint>

namespace tilewright {

struct BanMark {
    CandidateId candidate; ///< its copies share the ban
    bool isLifted = false;
    std::int64_t evaluations = 0; ///< results before it, as RunState::resultsEver
    std::int64_t runNs = 0; ///< time spent running, as the last event before it tells

    bool operator==(const BanMark&) const = default;
};

} // namespace tilewright
