// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/conversation.h"

#include <algorithm>
#include <set>

namespace tilewright {

std::vector<ModelRequestId> conversationOf(const RunState& state, ModelRequestId id)
{
    std::vector<ModelRequestId> chain;
    for (const ModelRequest* modelRequest = state.modelRequest(id); modelRequest;
         modelRequest = state.modelRequest(modelRequest->continues)) {
        if (!chain.empty() && modelRequest->id >= chain.back())
            break; // a conversation only goes back
        chain.push_back(modelRequest->id);
    }
    std::ranges::reverse(chain);
    return chain;
}

std::vector<Turn> turnsOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate ? turnsOf(state, candidate->proposal) : std::vector<Turn>{};
}

std::vector<Turn> turnsOf(const RunState& state, ProposalId id)
{
    const Proposal* proposal = state.proposal(id);
    if (!proposal || proposal->reply.isNull())
        return {};
    std::vector<Turn> turns;
    for (const ModelRequestId each : conversationOf(state, proposal->modelRequest)) {
        const ModelRequest& modelRequest = *state.modelRequest(each);
        turns.push_back({each, modelRequest.system, modelRequest.prompt, modelRequest.answer.reply, 0});
    }
    if (turns.empty())
        turns.push_back({});
    turns.back().reply = proposal->reply;
    turns.back().part = proposal->part;
    return turns;
}

std::vector<ModelRequestId> callsOf(const RunState& state, ProposalId id)
{
    std::set<ModelRequestId> calls;
    const Proposal* proposal = state.proposal(id);
    std::vector<ModelRequestId> open{proposal ? proposal->modelRequest : ModelRequestId{}};
    while (!open.empty()) {
        const ModelRequest* modelRequest = state.modelRequest(open.back());
        open.pop_back();
        if (!modelRequest || !calls.insert(modelRequest->id).second)
            continue;
        const Proposal* mended = state.proposal(modelRequest->repairOf);
        open.insert(open.end(),
            {modelRequest->continues, modelRequest->repeats, mended ? mended->modelRequest : ModelRequestId{}});
    }
    return {calls.begin(), calls.end()};
}

std::string authorOf(const RunState& state, const Proposal& proposal)
{
    const ModelRequest* modelRequest = state.modelRequest(proposal.modelRequest);
    if (modelRequest && !modelRequest->answer.model.empty())
        return modelRequest->answer.model;
    if (modelRequest && !modelRequest->model.empty())
        return modelRequest->model;
    return proposal.proposer == "person" ? "user" : proposal.proposer;
}

} // namespace tilewright
