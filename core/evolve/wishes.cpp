// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/wishes.h"

#include "core/evolve/selection.h"

namespace tilewright {

namespace {

Focus focusOfTemplate(const std::string& name)
{
    for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Crossover, Focus::Repair, Focus::Rewrite})
        if (nameOf(focus) == name)
            return focus;
    return Focus::Rewrite; // translate: a whole program
}

} // namespace

std::optional<ProposalRequest> wishedRequest(const RunState& state, const PendingRequests& pending)
{
    const Wish* wish = nextWish(state);
    const Candidate* parent = wish ? state.candidate(wish->parent) : nullptr;
    const IslandId whose = wish && wish->prompt.island ? wish->prompt.island : parent ? parent->island : IslandId{};
    const Island* island = parent ? state.island(whose) : nullptr;
    if (!island)
        return std::nullopt;
    const auto waiting = pending.find(island->id);
    const std::int64_t asked = island->proposals + (waiting == pending.end() ? 0 : waiting->second);
    if (wish->prompt) {
        ProposalRequest asIs{island->id, asked + 1, focusOfTemplate(wish->prompt.templateName), {parent->id}};
        if (wish->prompt.other)
            asIs.parents.push_back(wish->prompt.other);
        asIs.wish = wish->id;
        asIs.prompt = wish->prompt;
        return asIs;
    }
    ProposalRequest request = drawnRequest(state, *island, asked + 1);
    std::vector<CandidateId> parents{parent->id};
    if (request.focus == Focus::Crossover)
        for (const CandidateId other : request.parents)
            if (parents.size() < 2 && state.candidate(other)->program != parent->program)
                parents.push_back(other);
    request.parents = std::move(parents);
    if (!wish->idea.empty())
        request = {request.island, request.ordinal, Focus::Explore, {parent->id}};
    request = fittingRequest(state, std::move(request));
    request.wish = wish->id;
    request.idea = wish->idea;
    return request;
}

} // namespace tilewright
