// SPDX-License-Identifier: GPL-3.0-or-later
// What can be searched in a run without reading a text of the session: candidates and the event log; and which texts
// there are to read. Pure; from any thread, over a snapshot of its own.
#pragma once

#include "core/model/run_state.h"
#include "ui/finder/finder_query.h"

#include <atomic>
#include <vector>

namespace tilewright::ui {

/// A text of the session, read once though many candidates may have the same.
struct SoughtText {
    Hash hash;
    Found::Kind kind = Found::Kind::Code;
    CandidateId candidate = {}; ///< the newest that has it
    IslandId island = {};
    int others = 0; ///< candidates that have the same

    bool operator==(const SoughtText&) const = default;
};

struct Survey {
    std::vector<Found> found;
    bool moreCandidates = false, moreEvents = false; ///< than are told
    std::vector<SoughtText> texts; ///< of the newest candidate first
};

inline constexpr int mostCandidates = 12, mostEvents = 60;

/// The candidate that the words name, by its name or as "best"; none where they name none.
CandidateId namedBy(const RunState& run, const QString& words);
/// The row of a candidate, with what of it matches.
Found foundCandidate(const RunState& run, const Candidate& candidate, const QString& wanted);

Survey survey(const RunState& run, const FinderQuery& query, const std::atomic<bool>& cancelled);

} // namespace tilewright::ui
