// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/patch_tally.h"

namespace tilewright {

std::optional<double> PatchTally::cleanRate() const
{
    return tried() > 0 ? std::optional(static_cast<double>(clean) / static_cast<double>(tried())) : std::nullopt;
}

std::map<std::string, PatchTally> patchTallies(const RunState& state)
{
    std::map<std::string, PatchTally> tallies;
    for (const Proposal& proposal : state.proposals) {
        const bool applied = proposal.state == ProposalState::Accepted || proposal.state == ProposalState::Duplicate;
        if (proposal.reply.isNull() || (!applied && !proposal.rule.starts_with("patch/")))
            continue;
        const Inquiry* inquiry = state.inquiry(proposal.inquiry);
        const bool named = inquiry && !inquiry->answer.model.empty();
        PatchTally& tally = tallies[named ? proposal.proposer + "/" + inquiry->answer.model : proposal.proposer];
        ++(!applied ? tally.refused : proposal.repairs.empty() ? tally.clean : tally.mended);
    }
    return tallies;
}

} // namespace tilewright
