// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/conversation.h"

#include <algorithm>

namespace tilewright {

std::vector<InquiryId> conversationOf(const RunState& state, InquiryId id)
{
    std::vector<InquiryId> chain;
    for (const Inquiry* inquiry = state.inquiry(id); inquiry; inquiry = state.inquiry(inquiry->continues)) {
        if (!chain.empty() && inquiry->id >= chain.back())
            break; // a conversation only goes back
        chain.push_back(inquiry->id);
    }
    std::ranges::reverse(chain);
    return chain;
}

std::vector<Turn> turnsOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    const Proposal* proposal = candidate ? state.proposal(candidate->proposal) : nullptr;
    if (!proposal || proposal->reply.isNull())
        return {};
    std::vector<Turn> turns;
    for (const InquiryId each : conversationOf(state, proposal->inquiry)) {
        const Inquiry& inquiry = *state.inquiry(each);
        turns.push_back({each, inquiry.system, inquiry.prompt, inquiry.answer.reply, 0});
    }
    if (turns.empty())
        turns.push_back({});
    turns.back().reply = proposal->reply;
    turns.back().part = proposal->part;
    return turns;
}

std::string authorOf(const RunState& state, const Proposal& proposal)
{
    const Inquiry* inquiry = state.inquiry(proposal.inquiry);
    if (!inquiry)
        return proposal.proposer;
    const std::string& model = inquiry->answer.model.empty() ? inquiry->model : inquiry->answer.model;
    return model.empty() ? proposal.proposer : model;
}

} // namespace tilewright
