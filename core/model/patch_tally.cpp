// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/patch_tally.h"

#include "core/model/conversation.h"

namespace tilewright {

namespace {

std::map<std::string, PatchTally> talliesBy(
    const RunState& state, std::string (*nameOf)(const RunState& state, const Proposal& proposal))
{
    std::map<std::string, PatchTally> tallies;
    for (const Proposal& proposal : state.proposals) {
        const bool applied = proposal.state == ProposalState::Accepted || proposal.state == ProposalState::Duplicate;
        if (proposal.reply.isNull() || (!applied && !proposal.rule.starts_with("patch/")))
            continue;
        PatchTally& tally = tallies[nameOf(state, proposal)];
        ++(!applied ? tally.refused : proposal.repairs.empty() ? tally.clean : tally.mended);
    }
    return tallies;
}

std::string proposerAndModel(const RunState& state, const Proposal& proposal)
{
    const Inquiry* inquiry = state.inquiry(proposal.inquiry);
    const bool named = inquiry && !inquiry->answer.model.empty();
    return named ? proposal.proposer + "/" + inquiry->answer.model : proposal.proposer;
}

} // namespace

std::optional<double> PatchTally::cleanRate() const
{
    return tried() > 0 ? std::optional(static_cast<double>(clean) / static_cast<double>(tried())) : std::nullopt;
}

std::map<std::string, PatchTally> patchTallies(const RunState& state) { return talliesBy(state, proposerAndModel); }

std::map<std::string, PatchTally> patchTalliesByAuthor(const RunState& state) { return talliesBy(state, authorOf); }

} // namespace tilewright
