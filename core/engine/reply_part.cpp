// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reply_part.h"

#include "core/patch/proposals.h"

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
