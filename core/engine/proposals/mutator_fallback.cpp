// SPDX-License-Identifier: GPL-3.0-or-later
// The mutator in the place of models that do not answer, until one does again: a run goes on through an outage.
#include "core/engine/proposals/proposal_intake.h"

#include "core/base/text.h"
#include "core/evolve/boosts.h"

#include <algorithm>
#include <chrono>

namespace tilewright {

bool ProposalIntake::hasFallback(IslandId id) const
{
    const Island* island = m_ledger.state().island(id);
    if (!m_requestQueue || !m_requestQueue->trouble().code.empty() || !island || island->standing != Standing::Living)
        return false;
    const bool isUnwanted = !island->steering.proposers.empty() && !mayMutate(m_ledger.state(), id); // by a user's mix
    return !isUnwanted && m_requestQueue->replySource().isOutOfReach(id);
}

bool ProposalIntake::hasFallback() const
{
    return std::ranges::any_of(
        m_ledger.state().islands, [this](const Island& island) { return hasFallback(island.id); });
}

void ProposalIntake::reportFallbacks()
{
    std::set<IslandId> now;
    for (const Island& island : m_ledger.state().islands)
        if (hasFallback(island.id))
            now.insert(island.id);
    if (now == m_fallbackIslands)
        return;
    std::vector<std::string> letters;
    for (const IslandId id : now)
        letters.push_back(islandLetter(id));
    if (now.empty())
        m_ledger.record(events::Noted{"info", "a model replies again: the mutator fallback ends", ""});
    else
        m_ledger.record(events::Noted{"warning",
            "no model replies on " + std::string(now.size() == 1 ? "island " : "islands ") + joined(letters, ", ")
                + ": mutator only",
            "models are retried; an island whose own mix has no mutator waits for them"});
    m_fallbackIslands = std::move(now);
}

void ProposalIntake::countFruitless(const Proposal& offered)
{
    if (offered.modelRequest || offered.proposer == authorPerson || offered.proposer == recombinerName)
        return;
    const bool isFallback
        = m_requestQueue && offered.proposer == "mutator" && !mayMutate(m_ledger.state(), offered.island);
    ++(isFallback ? m_fruitlessFallbacks : m_fruitless);
}

bool ProposalIntake::fallBack(const ProposalRequest& unanswered, const RestingIslands& resting)
{
    const RunState& state = m_ledger.state();
    if (m_fruitlessFallbacks >= mostFruitless() || !hasFallback())
        return false;
    // Models take their time, the mutator none: it goes no faster than the run did, or an outage would eat the budget.
    const std::int64_t pace = m_runTime() / std::max<std::int64_t>(state.evaluationsStarted, 1);
    if (const std::int64_t left = m_sinceFallback.isValid() ? pace - m_sinceFallback.nsecsElapsed() : 0; left > 0) {
        m_nextFallback.start(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(left)));
        return false;
    }
    // What a user requested waits for those whom they had in mind, and an island without the mutator for its models;
    // the others go on.
    std::optional<ProposalRequest> request;
    if (!unanswered.steering)
        request = unanswered;
    RestingIslands waiting = resting;
    while (!request || !hasFallback(request->island)) {
        if (request && !waiting.insert(request->island).second)
            return false;
        request = nextRequest(state, m_pending, waiting);
        if (!request)
            return false;
    }
    m_sinceFallback.start();
    askBuiltIn(*request, "mutator");
    return true;
}

} // namespace tilewright
