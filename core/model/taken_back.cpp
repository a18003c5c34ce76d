// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/taken_back.h"

#include "core/model/editing.h"

#include <set>

namespace tilewright {
namespace {

/// All that something came of, or may still.
std::set<CandidateId> parentsIn(const RunState& state)
{
    std::set<CandidateId> parents;
    const auto add = [&parents](const std::vector<CandidateId>& ids) { parents.insert(ids.begin(), ids.end()); };
    for (const Candidate& candidate : state.candidates)
        if (!candidate.takenBack)
            add(candidate.parents);
    for (const Proposal& proposal : state.proposals)
        add(proposal.parents);
    for (const Inquiry& inquiry : state.inquiries)
        add(inquiry.parents);
    return parents;
}

} // namespace

void takeBack(RunState& state, const std::vector<CandidateId>& candidates)
{
    const std::set<CandidateId> parents = parentsIn(state);
    for (const CandidateId id : candidates)
        if (Candidate* candidate = edit(state, id); candidate && !parents.contains(id))
            candidate->takenBack = true;
}

std::vector<CandidateId> copiesOn(const RunState& state, IslandId island)
{
    std::vector<CandidateId> copies;
    for (const Candidate& candidate : state.candidates)
        if (candidate.migrated && candidate.island == island)
            copies.push_back(candidate.id);
    return copies;
}

} // namespace tilewright
