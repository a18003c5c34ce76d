// SPDX-License-Identifier: GPL-3.0-or-later
// What stands with candidates, but for the list of their evaluations: a further one changes nothing of it.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::testing {

inline Candidate figuresOf(const RunState& run, CandidateId id)
{
    Candidate candidate = *run.candidate(id);
    candidate.newest = {};
    return candidate;
}

inline std::vector<Candidate> figuresOf(const RunState& run)
{
    std::vector<Candidate> all;
    for (const Candidate& candidate : run.candidates)
        all.push_back(figuresOf(run, candidate.id));
    return all;
}

} // namespace tilewright::testing
