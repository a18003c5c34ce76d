// SPDX-License-Identifier: GPL-3.0-or-later
// When a candidate was copied to another island, by migration or as part of an order for islands: its place on a run's
// axes. No event but `migrated` makes one.
#pragma once

#include "core/base/ids.h"

#include <cstdint>

namespace tilewright {

struct MigrationMark {
    CandidateId from, copy;
    IslandId to;
    std::int64_t evaluations = 0; ///< results before it, as RunState::resultsEver
    std::int64_t runNs = 0; ///< time spent running, as the last event before it tells
    bool isBest = false; ///< no one on that island was better
    /// Island::lastMigration of the one that it left, with it and before it.
    std::int64_t at = 0, before = 0;
    bool byOrder = false; ///< an island was cloned, merged or reset: that is no migration

    bool operator==(const MigrationMark&) const = default;
};

} // namespace tilewright
