// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/handwritten.h"

#include "core/model/run_state.h"

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

void forgetProgram(RunState& state, const Candidate& candidate)
{
    if (const CandidateId* first = state.firstOfProgram.find(candidate.program); first && *first == candidate.id)
        state.firstOfProgram.remove(candidate.program);
}

Result<LogLine> applyWithdrawal(RunState& state, const events::HandwrittenWithdrawn& e)
{
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    Candidate& candidate = state.candidates.edit(static_cast<std::size_t>(e.candidate.value - 1));
    candidate.stage = Stage::Rejected;
    candidate.rule = "person/withdrawn";
    candidate.text = "the person who wrote it took it back";
    forgetProgram(state, candidate);
    ++state.outcomes["rejected"];
    state.evaluationsDone += candidate.evaluationNumber > 0 ? 1 : 0;
    return LogLine{0, "", "info", candidate.id, candidateName(candidate.id) + " was taken back by who wrote it"};
}

} // namespace tilewright
