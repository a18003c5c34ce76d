// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/cells.h"

#include <algorithm>

namespace tilewright {
namespace {

bool livesThere(const Island& island, CandidateId id)
{
    return std::ranges::find(island.members, id) != island.members.end();
}

bool mayHold(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate && candidate->isRanked() && !isBanned(state, id);
}

/// The best member of the cell that may hold it, of equals the oldest; none: no one.
CandidateId heirOf(const RunState& state, const Island& island, const std::string& cell)
{
    const Candidate* heir = nullptr;
    for (const CandidateId id : island.members) {
        const Candidate* member = state.candidate(id);
        if (!mayHold(state, id) || member->cell != cell)
            continue;
        const double lead = heir ? member->score->value - heir->score->value : 1;
        if (lead > 0 || (lead == 0 && id < heir->id))
            heir = member;
    }
    return heir ? heir->id : CandidateId{};
}

} // namespace

void releaseCells(RunState& state)
{
    for (Island& island : state.islands)
        for (auto held = island.niches.begin(); held != island.niches.end();) {
            if (!mayHold(state, held->second) || !livesThere(island, held->second))
                held->second = heirOf(state, island, held->first);
            held = held->second ? std::next(held) : island.niches.erase(held);
        }
}

void claimCells(RunState& state, CandidateId candidate)
{
    for (Island& island : state.islands)
        for (const CandidateId id : island.members) {
            if (!isCopyOf(state, id, candidate) || !mayHold(state, id))
                continue;
            const Candidate& member = *state.candidate(id);
            const auto [place, isFree] = island.niches.try_emplace(member.cell, id);
            if (!isFree && member.score->value > state.candidate(place->second)->score->value)
                place->second = id;
        }
}

} // namespace tilewright
