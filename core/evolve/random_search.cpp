// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/random_search.h"

#include "core/model/review_queue.h"

namespace tilewright {

std::vector<events::IslandCreated> RandomSearch::islands(const RunSettings&) const
{
    return {{IslandId{1}, "Random", name(), Focus::Explore}};
}

std::optional<ProposalRequest> RandomSearch::next(
    const RunState& state, const PendingRequests& pending, const RestingIslands& resting) const
{
    if (state.islands.empty() || state.candidates.empty())
        return std::nullopt;
    const Island& island = state.islands.front();
    const auto found = pending.find(island.id);
    const std::int64_t unanswered = found == pending.end() ? 0 : found->second;
    if (resting.contains(island.id) || !mayPropose(state, island.id, unanswered))
        return std::nullopt;
    return ProposalRequest{island.id, island.proposals + unanswered + 1, Focus::Explore, {state.candidates[0].id}};
}

std::optional<events::Admitted> RandomSearch::admit(
    const RunState& state, IslandId island, CandidateId candidate, const std::string& cell) const
{
    return m_judge.admit(state, island, candidate, cell);
}

bool RandomSearch::becomesIncumbent(const RunState& state, CandidateId candidate) const
{
    return m_judge.becomesIncumbent(state, candidate);
}

std::unique_ptr<Strategy> strategyNamed(const std::string& name)
{
    if (name == "evolve")
        return std::make_unique<Evolve>();
    if (name == "random")
        return std::make_unique<RandomSearch>();
    return nullptr;
}

} // namespace tilewright
