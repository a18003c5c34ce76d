// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/repair_turns.h"

#include "core/model/measurement/resource_figures.h"
#include "core/model/parent_change.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Turns for one patch: repair, then rewrite.
constexpr int patchTurns = 2;

const Proposal* repairedBy(const RunState& state, const Proposal& proposal)
{
    return proposal.repairOf ? state.proposal(proposal.repairOf) : nullptr;
}

/// Turns that were spent on this patch before the proposal: a program that failed in between begins anew.
int patchTurnsBefore(const RunState& state, const Proposal& proposal)
{
    int turns = 0;
    for (const Proposal* before = repairedBy(state, proposal); before && before->state == ProposalState::Refused;
         before = repairedBy(state, *before))
        ++turns;
    return turns;
}

int programTurnsBefore(const RunState& state, const Proposal& proposal)
{
    int turns = 0;
    for (const Proposal* before = repairedBy(state, proposal); before; before = repairedBy(state, *before))
        turns += before->state == ProposalState::Accepted ? 1 : 0;
    return turns;
}

/// The program whose failure this one was to mend, some refused patches ago or not; null if there is none.
const Candidate* mendedProgram(const RunState& state, const Proposal& proposal)
{
    for (const Proposal* before = repairedBy(state, proposal); before; before = repairedBy(state, *before))
        if (const Candidate* candidate = candidateOf(state, *before))
            return candidate;
    return nullptr;
}

int spillsOf(const RunState& state, const Candidate& candidate) { return hotLoopSpills(state, candidate.id); }

/// More than a few, where the program that it was made from has none.
bool hasNewSpills(const RunState& state, const Candidate& candidate)
{
    constexpr int few = 3;
    const Candidate* base = state.candidate(rankedAncestor(state, candidate));
    return base && spillsOf(state, candidate) > few && spillsOf(state, *base) == 0;
}

bool failsAlike(const Candidate& one, const Candidate& other)
{
    return !one.isRanked() && one.outcome == other.outcome && one.rule == other.rule && one.text == other.text;
}

/// Whether this holds of another program that was made of the same reply.
template <typename Predicate> bool anySibling(const RunState& state, const Proposal& proposal, const Predicate& holds)
{
    return std::ranges::any_of(state.proposals, [&](const Proposal& other) {
        if (other.modelRequest != proposal.modelRequest || other.id == proposal.id)
            return false;
        const Candidate* sibling = candidateOf(state, other);
        return sibling && holds(*sibling);
    });
}

bool hasPlacedSibling(const RunState& state, const Proposal& proposal)
{
    return anySibling(
        state, proposal, [](const Candidate& sibling) { return sibling.isRanked() && !sibling.cell.empty(); });
}

/// A program that is right, and only slower, beside another right one of its reply: the next prompt tells of both.
bool isOneOfSeveralRanked(const RunState& state, const Proposal& proposal, const Candidate& candidate)
{
    return candidate.isRanked()
        && anySibling(state, proposal, [](const Candidate& sibling) { return sibling.isRanked(); });
}

FurtherTurn turnOfPatch(const RunState& state, const Proposal& proposal)
{
    const int spent = patchTurnsBefore(state, proposal);
    if (!proposal.rule.starts_with("patch/") || spent >= patchTurns || hasPlacedSibling(state, proposal))
        return FurtherTurn::None;
    return spent == 0 ? FurtherTurn::PatchRepair : FurtherTurn::Rewrite;
}

FurtherTurn turnOfProgram(const RunState& state, const Proposal& proposal)
{
    const Candidate* candidate = candidateOf(state, proposal);
    const Island* island = state.island(proposal.island);
    if (!candidate || !island || candidate->takenBack || !wantsMending(state, *candidate)
        || programTurnsBefore(state, proposal) >= island->steering.repairTurns || hasPlacedSibling(state, proposal)
        || isOneOfSeveralRanked(state, proposal, *candidate))
        return FurtherTurn::None;
    const Candidate* before = mendedProgram(state, proposal);
    return before && failsAlike(*candidate, *before) ? FurtherTurn::None : FurtherTurn::ProgramRepair;
}

} // namespace

const Candidate* candidateOf(const RunState& state, const Proposal& proposal)
{
    if (proposal.state != ProposalState::Accepted)
        return nullptr;
    // Newest first: what earns a turn was just measured.
    for (std::size_t i = state.candidates.size(); i-- > 0;)
        if (state.candidates[i].proposal == proposal.id && !state.candidates[i].migrated)
            return &state.candidates[i];
    return nullptr;
}

bool awaitsSiblings(const RunState& state, const Proposal& proposal)
{
    return anySibling(
        state, proposal, [](const Candidate& sibling) { return !sibling.isOver() && sibling.stage != Stage::Review; });
}

bool wantsMending(const RunState& state, const Candidate& candidate)
{
    if (candidate.stage != Stage::Done || candidate.outcome == Outcome::None)
        return false;
    if (!candidate.isRanked())
        return candidate.outcome != Outcome::Unranked && candidate.outcome != Outcome::Quarantined
            && !candidate.rule.ends_with("/killed"); // ended from outside: nothing of it is to be mended
    const auto change = versusParent(state, candidate);
    return change && (change->ratio.hi < clearlySlower || (change->ratio.lo < 1 && hasNewSpills(state, candidate)));
}

FurtherTurn earnedTurn(const RunState& state, const Proposal& proposal)
{
    if (!proposal.modelRequest)
        return FurtherTurn::None;
    if (proposal.state == ProposalState::Refused)
        return turnOfPatch(state, proposal);
    return proposal.state == ProposalState::Accepted ? turnOfProgram(state, proposal) : FurtherTurn::None;
}

} // namespace tilewright
