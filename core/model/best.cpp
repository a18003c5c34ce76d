// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/best.h"

#include <algorithm>
#include <ranges>

namespace tilewright {
namespace {

constexpr CandidateId seed{1};

bool mayBeBest(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate && candidate->isRanked() && !isBanned(state, id);
}

double scoreOf(const RunState& state, CandidateId id) { return state.candidate(id)->score->value; }

/// The last incumbent that is not banned, else the seed.
CandidateId lastIncumbent(const RunState& state)
{
    for (const CandidateId id : state.incumbents | std::views::reverse)
        if (mayBeBest(state, id))
            return id;
    return state.incumbent ? seed : CandidateId{};
}

} // namespace

void findBest(const RunState& state, Island& island)
{
    island.best = {};
    for (const CandidateId id : island.members)
        if (mayBeBest(state, id) && (!island.best || scoreOf(state, id) > scoreOf(state, island.best)))
            island.best = id;
}

void reviseBest(RunState& state, CandidateId measured)
{
    for (Island& island : state.islands) {
        if (std::ranges::find(island.members, measured) == island.members.end())
            continue;
        const CandidateId before = island.best;
        findBest(state, island);
        if (island.best != measured && before != measured)
            continue;
        const double now = island.best ? scoreOf(state, island.best) : 0;
        auto& trace = island.bestTrace;
        std::erase_if(trace, [now](const auto& point) { return point.second > now; });
        if (island.best && (trace.empty() || trace.back().second < now))
            trace.emplace_back(state.resultsEver, now);
    }
}

void loseBest(RunState& state)
{
    for (Island& island : state.islands)
        if (isBanned(state, island.best))
            findBest(state, island);
    if (isBanned(state, state.incumbent))
        state.incumbent = lastIncumbent(state);
}

void regainBest(RunState& state, CandidateId candidate)
{
    for (Island& island : state.islands)
        for (const CandidateId id : island.members) {
            if (!isCopyOf(state, id, candidate) || !mayBeBest(state, id))
                continue;
            const double lead = island.best ? scoreOf(state, id) - scoreOf(state, island.best) : 1;
            if (lead > 0 || (lead == 0 && id < island.best))
                island.best = id;
        }
    CandidateId next = lastIncumbent(state);
    for (const CandidateId id : state.incumbents)
        if (isCopyOf(state, id, candidate) && mayBeBest(state, id) && scoreOf(state, id) > scoreOf(state, next))
            next = id;
    if (next != lastIncumbent(state))
        state.incumbents.push_back(next);
    state.incumbent = next;
}

} // namespace tilewright
