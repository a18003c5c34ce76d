// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/replay_proposer.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Replies that were offered so far. One that holds several proposals counts once, by its first part.
std::size_t offeredIn(const RunState& state)
{
    return static_cast<std::size_t>(std::count_if(state.proposals.begin(), state.proposals.end(),
        [](const Proposal& p) { return p.proposer == "replay" && p.part <= 1; }));
}

/// What a recorded repair turn repairs: the proposal of this island and ordinal whose program it edits, else the newest
/// refused one.
ProposalId repairedBy(const OfferedAs& as, CandidateId parent, const RunState& state)
{
    const Candidate* edited = state.candidate(parent);
    const Proposal* failed = edited ? state.proposal(edited->proposal) : nullptr;
    if (failed && failed->island == as.island && failed->ordinal == as.ordinal && failed->attempt == as.attempt - 1)
        return failed->id;
    ProposalId found;
    for (const Proposal& p : state.proposals)
        if (p.island == as.island && p.ordinal == as.ordinal && p.attempt == as.attempt - 1
            && p.state == ProposalState::Refused)
            found = p.id;
    return found;
}

} // namespace

ReplayProposer::ReplayProposer(std::vector<RecordedReply> replies)
    : m_replies(std::move(replies))
{
}

void ReplayProposer::propose(const ProposalRequest& request, const ProposerView& view, Answer answer)
{
    const std::size_t next = offeredIn(view.state);
    if (next >= m_replies.size()) {
        answer(fail("replay/done", "all " + std::to_string(m_replies.size()) + " recorded replies were used"));
        return;
    }
    const RecordedReply& recorded = m_replies[next];
    Offer offer;
    offer.proposer = name();
    offer.reply = recorded.text;
    offer.finish = recorded.finish;
    offer.moves = recorded.moves;
    if (recorded.as && view.state.island(recorded.as->island)) {
        offer.as = recorded.as;
    }
    for (const Hash& parent : recorded.parents) {
        const CandidateId* known = view.state.firstOfProgram.find(parent);
        if (!known) {
            answer(fail(
                "replay/parent", "no candidate has the program that reply " + std::to_string(next + 1) + " needs"));
            return;
        }
        offer.parents.push_back(*known);
    }
    if (recorded.parents.empty())
        offer.parents = request.parents;
    if (offer.as && offer.as->attempt > 1)
        offer.as->repairOf
            = repairedBy(*offer.as, offer.parents.empty() ? CandidateId{} : offer.parents.front(), view.state);
    answer(std::move(offer));
}

} // namespace tilewright
