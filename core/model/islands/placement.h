// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate that a user put on another island: as a copy that shares its measured program, beside it or in its
// stead.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/model/candidate.h"

#include <cstdint>

namespace tilewright {

enum class Placing { Copy, Move };
std::string nameOf(Placing placing);

struct Placement {
    CandidateId from, copy;
    Placing placing = Placing::Copy;
    std::vector<CandidateId> displaced; ///< who left the copy's island for it
    bool undone = false;

    bool operator==(const Placement&) const = default;
};

struct RunState;
struct LogLine;

namespace events {
/// The copy takes this place on its island; moved, the other leaves its own one. It counts as no admission, so that
/// migrations go on as they would have.
struct Placed {
    CandidateId from;
    Candidate copy;
    Placing placing = Placing::Copy;
    std::string cell;
    bool elite = false;
    std::vector<CandidateId> displaced;
    bool operator==(const Placed&) const = default;
};
/// The copy leaves its island; who left for it, and what was moved, come back.
struct PlacementUndone {
    CandidateId copy;
    bool operator==(const PlacementUndone&) const = default;
};
} // namespace events

/// The placement that made this copy; null if none did.
const Placement* placementOf(const RunState& state, CandidateId copy);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applyPlacement(RunState& state, const events::Placed& event);
Result<LogLine> applyPlacement(RunState& state, const events::PlacementUndone& event);

// When a candidate was copied to another island, by migration or as part of an order for islands: its place on a run's
// axes. No event but `migrated` makes one.

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
