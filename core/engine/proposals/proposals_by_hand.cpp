// SPDX-License-Identifier: GPL-3.0-or-later
// What a user writes: in place of a candidate, or beside it. The same checks as of any reply.
#include "core/engine/proposals/proposal_intake.h"

#include "core/base/text.h"
#include "core/engine/replies/model_answer.h"
#include "core/model/parent_change.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "core/source/program_text.h"
#include "core/source/saved_program.h"

namespace tilewright {
namespace {

Error notApplied(const std::string& rule, const std::string& detail)
{
    return {rule, detail, "only text between the EVOLVE-BLOCK markers can be changed", nullptr};
}

Error existsAlready(const std::string& first)
{
    return {"duplicate", "this program exists already: " + first,
        "comments and spaces do not count as changes: change the code", nullptr};
}

} // namespace

Proposal ProposalIntake::inPlaceOf(CandidateId id, const std::string& reasoning) const
{
    const RunState& state = m_ledger.state();
    const Candidate& original = *state.candidate(id);
    const Proposal* first = state.proposal(original.proposal);
    Proposal proposal;
    proposal.id = m_ledger.nextProposal();
    proposal.island = original.island;
    proposal.ordinal = first ? first->ordinal : 0;
    proposal.focus = first ? first->focus : Focus::Exploit;
    proposal.proposer = authorPerson;
    proposal.parents = original.parents;
    proposal.moves = first ? first->moves : std::vector<std::string>{};
    proposal.reasoning = printable(
        "Written by a user in place of " + candidateName(id) + (reasoning.empty() ? "." : ": " + reasoning));
    return proposal;
}

Result<void> ProposalIntake::checkChange(CandidateId id, const std::string& parentText, const std::string& text)
{
    const Candidate& original = *m_ledger.state().candidate(id);
    if (parentText != text && m_ledger.text(original.source) != text)
        return {};
    return fail("review/no-change",
        "the text is the same as " + candidateName(parentText == text ? original.parents.front() : id),
        "approve it without edits, or change something");
}

Result<CandidateId> ProposalIntake::edit(CandidateId id, const std::string& written, const std::string& reasoning)
{
    Proposal proposal = inPlaceOf(id, reasoning);
    const std::string parentText = parentTextOf(m_ledger, proposal);
    const std::string text = programInSaved(written, parentText);
    if (const auto changes = checkChange(id, parentText, text); !changes)
        return std::unexpected(changes.error());
    return submit(std::move(proposal), parentText, text);
}

Result<std::string> ProposalIntake::edited(CandidateId id, const std::string& written)
{
    const Proposal proposal = inPlaceOf(id, {});
    const std::string parentText = parentTextOf(m_ledger, proposal);
    const std::string text = programInSaved(written, parentText);
    if (const auto changes = checkChange(id, parentText, text); !changes)
        return std::unexpected(changes.error());
    return tried(proposal, parentText, text);
}

Result<std::string> ProposalIntake::tried(
    const Proposal& proposal, const std::string& parentText, const std::string& text)
{
    const auto patched = applyProposal(m_ledger, proposal, parentText, replyOf(proposal, parentText, text));
    if (!patched)
        return std::unexpected(notApplied(ruleOfCode(patched.error().code), printable(patched.error().error().text)));
    if (const CandidateId* first = m_ledger.state().firstOfProgram.find(programIdentity(patched->text)))
        return std::unexpected(existsAlready(candidateName(*first)));
    return patched->text;
}

Result<void> ProposalIntake::checkInjection(CandidateId parent, const std::string& parentText, const std::string& text)
{
    if (parentText.empty())
        return fail("proposer/parent", "the text of " + candidateName(parent) + " is not in the session");
    if (parentText == text)
        return fail("inject/no-change", "the program is the same as " + candidateName(parent), "change something");
    return {};
}

Result<std::string> ProposalIntake::injected(CandidateId parent, const std::string& written)
{
    if (!m_ledger.state().candidate(parent))
        return fail("candidate/unknown", "there is no candidate " + candidateName(parent));
    Proposal proposal;
    proposal.id = m_ledger.nextProposal();
    proposal.proposer = authorPerson;
    proposal.parents = {parent};
    const std::string parentText = parentTextOf(m_ledger, proposal);
    const std::string text = programInSaved(written, parentText);
    if (const auto changes = checkInjection(parent, parentText, text); !changes)
        return std::unexpected(changes.error());
    return tried(proposal, parentText, text);
}

Result<CandidateId> ProposalIntake::inject(
    CandidateId parent, IslandId island, const std::string& written, const std::string& reasoning)
{
    Proposal proposal;
    proposal.id = m_ledger.nextProposal();
    proposal.island = island;
    proposal.focus = Focus::Exploit;
    proposal.proposer = authorPerson;
    proposal.parents = {parent};
    proposal.reasoning = printable(reasoning.empty() ? "Written by a user." : reasoning);
    const std::string parentText = parentTextOf(m_ledger, proposal);
    const std::string text = programInSaved(written, parentText);
    if (const auto changes = checkInjection(parent, parentText, text); !changes)
        return std::unexpected(changes.error());
    return submit(std::move(proposal), parentText, text);
}

std::string ProposalIntake::replyOf(
    const Proposal& proposal, const std::string& parentText, const std::string& text) const
{
    return replyText({proposal.reasoning, unifiedDiff(parentText, text, m_ledger.pack().task.sources.front()), ""});
}

Result<CandidateId> ProposalIntake::submit(Proposal proposal, const std::string& parentText, const std::string& text)
{
    if (const auto sound = tried(proposal, parentText, text); !sound) // a user is told, and writes it anew
        return std::unexpected(sound.error());
    const RunState& state = m_ledger.state();
    const std::string reply = replyOf(proposal, parentText, text);
    proposal.reply = m_ledger.keep(reply);
    m_ledger.record(events::Proposed{proposal});
    apply(proposal.id, reply);
    const Proposal& applied = *state.proposal(proposal.id);
    if (applied.state == ProposalState::Duplicate)
        return std::unexpected(existsAlready(applied.detail));
    if (applied.state != ProposalState::Accepted)
        return std::unexpected(notApplied(applied.rule, applied.detail));
    return state.candidates[state.candidates.size() - 1].id;
}

} // namespace tilewright
