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

/// Another one holds the title of the island: its trace goes on there, and falls where a ban took the best away.
void goOn(const RunState& state, Island& island)
{
    auto& trace = island.bestTrace;
    if (!island.best)
        return;
    const std::pair now(state.resultsEver, scoreOf(state, island.best));
    const bool isUndone = trace.size() >= 2 && trace.back().first == now.first
        && trace.back().second < now.second // it fell with a ban that ends before anything came
        && trace[trace.size() - 2].second == now.second;
    if (isUndone)
        trace.pop_back();
    else if (trace.empty() || trace.back().second != now.second)
        trace.push_back(now);
}

/// From where on the trace only rises: what stands before was known until a ban or a reset took it away.
auto lastRise(std::vector<std::pair<std::int64_t, double>>& trace)
{
    auto first = trace.end();
    while (first != trace.begin() && (first == trace.end() || std::prev(first)->second <= first->second))
        --first;
    return first;
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
        trace.erase(
            std::remove_if(lastRise(trace), trace.end(), [now](const auto& point) { return point.second > now; }),
            trace.end());
        if (island.best && (trace.empty() || trace.back().second < now))
            trace.emplace_back(state.resultsEver, now);
    }
}

void loseBest(RunState& state)
{
    for (Island& island : state.islands)
        if (isBanned(state, island.best)) {
            findBest(state, island);
            goOn(state, island);
        }
    if (isBanned(state, state.incumbent))
        state.incumbent = lastIncumbent(state);
}

void regainBest(RunState& state, CandidateId candidate)
{
    for (Island& island : state.islands) {
        const CandidateId before = island.best;
        for (const CandidateId id : island.members) {
            if (!isCopyOf(state, id, candidate) || !mayBeBest(state, id))
                continue;
            const double lead = island.best ? scoreOf(state, id) - scoreOf(state, island.best) : 1;
            if (lead > 0 || (lead == 0 && id < island.best))
                island.best = id;
        }
        if (island.best != before)
            goOn(state, island);
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
