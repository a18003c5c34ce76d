// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reviews/handwritten.h"

#include "core/model/reviews/editing.h"

namespace tilewright {

bool isHandwritten(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    return proposal && proposal->proposer == "person" && !candidate.migrated;
}

bool canBeWithdrawn(const RunState& state, const Candidate& candidate)
{
    const bool isUnmeasured
        = candidate.stage == Stage::Queued || candidate.stage == Stage::Building || candidate.stage == Stage::Checking;
    return isUnmeasured && !candidate.review && isHandwritten(state, candidate);
}

void withdraw(RunState& state, CandidateId written, std::string rule, std::string text)
{
    Candidate& candidate = *edit(state, written);
    candidate.stage = Stage::Rejected;
    candidate.rule = std::move(rule);
    candidate.text = std::move(text);
    freePlace(state, candidate);
    if (const CandidateId* first = state.firstOfProgram.find(candidate.program); first && *first == written)
        state.firstOfProgram.remove(candidate.program);
    if (state.proposal(candidate.proposal))
        state.proposals.edit(static_cast<std::size_t>(candidate.proposal.value - 1)).state = ProposalState::Withdrawn;
    takeBack(state, {written});
}

Result<LogLine> applyWithdrawal(RunState& state, const events::HandwrittenWithdrawn& e)
{
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    withdraw(state, e.candidate, "person/withdrawn", "undone by the user who wrote it");
    return LogLine{0, "", "info", e.candidate, candidateName(e.candidate) + " was undone by the user who wrote it"};
}

} // namespace tilewright
