// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/conversation.h"

#include <algorithm>
#include <set>

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
    return candidate ? turnsOf(state, candidate->proposal) : std::vector<Turn>{};
}

std::vector<Turn> turnsOf(const RunState& state, ProposalId id)
{
    const Proposal* proposal = state.proposal(id);
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

std::vector<InquiryId> callsOf(const RunState& state, ProposalId id)
{
    std::set<InquiryId> calls;
    const Proposal* proposal = state.proposal(id);
    std::vector<InquiryId> open{proposal ? proposal->inquiry : InquiryId{}};
    while (!open.empty()) {
        const Inquiry* inquiry = state.inquiry(open.back());
        open.pop_back();
        if (!inquiry || !calls.insert(inquiry->id).second)
            continue;
        const Proposal* mended = state.proposal(inquiry->repairOf);
        open.insert(open.end(), {inquiry->continues, inquiry->repeats, mended ? mended->inquiry : InquiryId{}});
    }
    return {calls.begin(), calls.end()};
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
