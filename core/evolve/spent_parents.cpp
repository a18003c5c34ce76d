// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/spent_parents.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t remembered = 300; ///< proposals, of all islands
constexpr int triesUntilSpent = 2;

} // namespace

bool isSpent(const RunState& state, const ProposalRequest& request)
{
    const Candidate* parent = request.parents.empty() ? nullptr : state.candidate(request.parents.front());
    if (!parent)
        return false;
    int tries = 0;
    const std::size_t count = state.proposals.size(), oldest = count - std::min(count, remembered);
    for (std::size_t i = count; i > oldest && tries < triesUntilSpent; --i) {
        const Proposal& proposal = state.proposals[i - 1];
        if (proposal.rule != "proposer/exhausted" || proposal.parents.empty()
            || (proposal.focus == Focus::Tune) != (request.focus == Focus::Tune))
            continue;
        const Candidate* asked = state.candidate(proposal.parents.front());
        tries += asked && asked->program == parent->program ? 1 : 0;
    }
    return tries == triesUntilSpent;
}

} // namespace tilewright
