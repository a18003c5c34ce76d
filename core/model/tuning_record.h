// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned before it is judged: a program with tunables that a model or a user wrote is measured with other values of them
// before the search goes on. Every version is a candidate of its own, whose tunedFrom leads back to the program as it
// was written; one version lives on the island. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// How far the tuning of a program has come.
struct TuningRecord {
    CandidateId base; ///< the program as it was written
    CandidateId best; ///< the best ranked version, the base included; none if none is ranked
    std::int64_t tried = 0; ///< versions beside the base that were made
    std::int64_t waiting = 0; ///< of them: not measured yet
    std::int64_t sinceBest = 0; ///< measured after the best one
    bool isExhausted = false; ///< the tuner found no further version

    bool operator==(const TuningRecord&) const = default;
};

/// The program that a version was tuned from; a candidate that was not tuned from another is its own.
CandidateId tuningBase(const RunState& state, CandidateId candidate);
/// The same of what a migrated copy is a copy of: versions of one program, and their copies, have one.
CandidateId writtenProgram(const RunState& state, CandidateId candidate);
TuningRecord tuningOf(const RunState& state, CandidateId base);
/// Whether it is a version of a program in a run that tunes before it judges: no idea of its own, and no attempt that
/// says whether a search goes on finding something.
bool isVersion(const RunState& state, const Candidate& candidate);

/// Whether a candidate is tuned before the search goes on: it has tunables, is ranked and not hopelessly slow, and was
/// written by a model, by a user or in a recorded reply, in a run that tunes.
bool isTunedFirst(const RunState& state, const Candidate& candidate);

} // namespace tilewright
