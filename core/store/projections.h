// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that can be rebuilt: each row is a pure function of the run's state, so rows are written from the state
// after a batch of events, for what those events touched. Inside a transaction of the caller.
#pragma once

#include "core/model/run_state.h"

#include <QSqlDatabase>
#include <set>

namespace tilewright {

/// What a batch of events changed.
struct Touched {
    std::set<IslandId> islands;
    std::set<ProposalId> proposals;
    std::set<CandidateId> candidates;
    std::set<EvaluationId> evaluations;
    std::set<ModelRequestId> modelRequests;
    std::set<ReviewId> reviews;

    /// Notes what the event changes in the state that it led to.
    void note(const Event& event, const RunState& after);
    void clear() { *this = Touched{}; }
};

/// Writes the rows of everything touched.
Result<void> writeProjections(QSqlDatabase& database, const RunState& state, const Touched& touched);
/// Empties every projection table of all runs.
Result<void> clearProjections(QSqlDatabase& database);
/// SHA-256 over all rows of all projection tables in the order of their keys.
Result<Hash> projectionsHash(QSqlDatabase& database);

} // namespace tilewright
