// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reply_part.h"

#include "core/patch/proposals.h"

#include <algorithm>

namespace tilewright {

std::string replyOf(Ledger& ledger, const Proposal& proposal)
{
    std::string reply = ledger.text(proposal.reply);
    if (proposal.part < 1)
        return reply;
    std::vector<std::string> parts = proposalsIn(reply);
    const auto at = static_cast<std::size_t>(proposal.part - 1);
    return at < parts.size() ? std::move(parts[at]) : std::string();
}

int proposalsOfReply(const RunState& state, const Proposal& proposal)
{
    int parts = 0; // the newest proposals are the likeliest
    const auto& proposals = state.proposals;
    for (std::size_t i = proposals.size(); i > 0 && proposals[i - 1].id.value >= proposal.id.value - proposal.part; --i)
        parts += proposals[i - 1].inquiry == proposal.inquiry ? 1 : 0;
    return std::max(parts, 1);
}

std::string parentTextOf(Ledger& ledger, const Proposal& proposal)
{
    const Candidate* parent = proposal.parents.empty() ? nullptr : ledger.state().candidate(proposal.parents.front());
    return parent ? ledger.text(parent->source) : std::string();
}

std::expected<PatchResult, Refusal> applyProposal(
    const Ledger& ledger, const Proposal& proposal, const std::string& parentText, const std::string& reply)
{
    PatchOptions options;
    options.finishReason = proposal.finish;
    options.prompt = proposal.focus == Focus::Rewrite || proposal.whole ? Prompt::Rewrite : Prompt::Edit;
    return applyReply(parentText, ledger.pack().task.sources.front(), reply, options);
}

} // namespace tilewright
