// SPDX-License-Identifier: GPL-3.0-or-later
// How the desk makes candidates of a reply: one proposal for each that it holds, each applied as a patch of its parent;
// what does not apply, or is known already, is refused. And the candidate that comes of no reply, the seed.
#include "core/base/text.h"
#include "core/engine/proposals/proposal_intake.h"
#include "core/engine/replies/model_answer.h"
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "core/source/program_form.h"
#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright {
namespace {

std::vector<std::string> lineageWith(std::vector<std::string> moves, const std::vector<std::string>& edits)
{
    for (const std::string& edit : edits) {
        if (edit.starts_with('-'))
            std::erase(moves, edit.substr(1));
        else
            moves.push_back(edit);
    }
    return moves;
}

/// By a model or a user, also where their reply is replayed. What is built in gives nothing another name.
bool isWritten(const Proposal& proposal)
{
    return proposal.modelRequest
        || (proposal.proposer == "replay" && proposal.moves.empty() && proposal.focus != Focus::Tune);
}

/// What the texts decide about a new candidate.
Candidate describe(Candidate candidate, const std::string& text)
{
    candidate.program = programIdentity(text);
    candidate.tunables = valuesOf(tunablesOf(text));
    return candidate;
}

} // namespace

void ProposalIntake::propose(Proposal proposal, const std::string& said)
{
    proposal.reply = m_ledger.keepWords(said);
    const std::string reply = m_ledger.text(proposal.reply);
    // A repair or a rewrite is asked for one proposal; what else it holds are drafts, and the applier judges them.
    const std::vector<std::string> parts = proposal.attempt > 1 ? std::vector<std::string>{reply} : proposalsIn(reply);
    const std::size_t taken = std::min(parts.size(), mostProposalsOfAReply);
    std::vector<ProposalId> made;
    for (std::size_t i = 0; i < taken; ++i) {
        Proposal each = proposal;
        each.id = m_ledger.nextProposal();
        each.part = parts.size() > 1 ? static_cast<int>(i) + 1 : 0;
        if (i + 1 < parts.size())
            each.finish.clear(); // only the last can be cut
        ReplyWords words = wordsOf(parts[i]);
        each.title = printable(words.title);
        each.reasoning = printable(words.reasoning);
        each.claim = printable(words.claim);
        made.push_back(each.id);
        m_ledger.record(events::Proposed{std::move(each)});
    }
    const std::size_t candidates = m_ledger.state().candidates.size();
    const bool isAnswer = m_requestQueue && proposal.modelRequest;
    for (std::size_t i = 0; i < made.size(); ++i)
        apply(made[i], parts[i]);
    if (taken < parts.size())
        refuseSurplus(std::move(proposal), parts.size());
    // A question counts once: when none of its proposals made a candidate, and no turn is left to mend one.
    if (isAnswer && m_ledger.state().candidates.size() == candidates
        && std::ranges::none_of(made, [this](ProposalId id) { return m_requestQueue->isDue(id); }))
        ++m_fruitless;
}

/// The first one too many stands for all of them: it is in the record, under its rule.
void ProposalIntake::refuseSurplus(Proposal proposal, std::size_t held)
{
    const std::string words = "the reply contains " + std::to_string(held) + " proposals: the first "
        + std::to_string(mostProposalsOfAReply) + " are used, the others dropped";
    proposal.id = m_ledger.nextProposal();
    proposal.part = static_cast<int>(mostProposalsOfAReply) + 1;
    proposal.finish.clear();
    const ProposalId id = proposal.id;
    m_ledger.record(events::Proposed{std::move(proposal)});
    m_ledger.record(events::Noted{"warning", words, ""});
    m_ledger.record(events::ProposalRefused{id, ProposalState::Refused, "reply/too-many-proposals", words, {}});
}

void ProposalIntake::refused(ProposalId id, const std::string& rule, const std::string& detail)
{
    m_ledger.record(events::ProposalRefused{id, ProposalState::Refused, rule, printable(detail), {}});
    const Proposal& offered = *m_ledger.state().proposal(id);
    if (offered.modelRequest && m_requestQueue)
        m_requestQueue->noteResult(id);
    countFruitless(offered);
    learn(id, 0);
    Q_EMIT idle();
}

CandidateId ProposalIntake::sameForm(const std::string& text)
{
    const RunState& state = m_ledger.state();
    for (; m_formed < state.candidates.size(); ++m_formed) {
        const Candidate& candidate = state.candidates[m_formed];
        if (!candidate.migrated)
            m_forms.emplace(formOf(m_ledger.text(candidate.source)), candidate.id);
    }
    const auto [first, last] = m_forms.equal_range(formOf(text));
    const auto found = std::find_if(first, last, [&state](const auto& known) {
        const Candidate& candidate = *state.candidate(known.second);
        return candidate.outcome == Outcome::None || candidate.isRanked();
    });
    return found == last ? CandidateId{} : found->second;
}

void ProposalIntake::duplicate(
    ProposalId id, CandidateId first, std::vector<std::string> repairs, const std::string& rule)
{
    const Proposal& offered = *m_ledger.state().proposal(id);
    countFruitless(offered);
    m_ledger.record(
        events::ProposalRefused{id, ProposalState::Duplicate, rule, candidateName(first), std::move(repairs)});
    learn(id, 0);
    Q_EMIT idle();
}

void ProposalIntake::apply(ProposalId id, const std::string& reply)
{
    const Proposal proposal = *m_ledger.state().proposal(id);
    const Candidate* parent = proposal.parents.empty() ? nullptr : m_ledger.state().candidate(proposal.parents.front());
    const std::string parentText = parentTextOf(m_ledger, proposal);
    if (!parent || parentText.empty())
        return refused(id, "proposer/parent", "the text of its parent is not in the session");
    const auto patched = applyProposal(m_ledger, proposal, parentText, reply);
    if (!patched)
        return refused(id, ruleOfCode(patched.error().code), patched.error().error().text);

    Candidate candidate;
    candidate.id = m_ledger.nextCandidate();
    candidate.proposal = id;
    candidate.island = proposal.island;
    candidate.parents = proposal.parents;
    for (const CandidateId ancestor : proposal.parents)
        if (const Candidate* known = m_ledger.state().candidate(ancestor))
            candidate.generation = std::max(candidate.generation, known->generation + 1);
    candidate.moves = lineageWith(parent->moves, proposal.moves);
    if (proposal.proposer == "tuner" || (proposal.proposer == "replay" && proposal.focus == Focus::Tune))
        candidate.tunedFrom = parent->id;
    candidate = describe(std::move(candidate), patched->text);
    for (const Repair& repair : patched->repairs)
        candidate.repairs.push_back(printable(repair.line()));
    if (const CandidateId* first = m_ledger.state().firstOfProgram.find(candidate.program))
        return duplicate(id, *first, std::move(candidate.repairs));
    if (const CandidateId twin = isWritten(proposal) ? sameForm(patched->text) : CandidateId{}; twin)
        return duplicate(id, twin, std::move(candidate.repairs), "duplicate/renamed");
    candidate.source = m_ledger.keep(patched->text);
    candidate.patch = m_ledger.keep(patched->diff);
    m_fruitless = 0;
    m_ledger.record(events::CandidateMade{candidate});
    Q_EMIT candidateMade(candidate.id);
}

void ProposalIntake::plantSeed()
{
    const RunState& state = m_ledger.state();
    if (state.proposals.empty()) {
        Proposal proposal;
        proposal.id = m_ledger.nextProposal();
        proposal.island = IslandId{1};
        proposal.proposer = "seed";
        proposal.reasoning = "The task's seed: where the search starts.";
        m_ledger.record(events::Proposed{proposal});
    }
    if (!state.candidates.empty())
        return;
    Candidate seed;
    seed.id = m_ledger.nextCandidate();
    seed.proposal = ProposalId{1};
    seed.island = IslandId{1};
    const std::string& text = m_ledger.pack().seed();
    seed = describe(std::move(seed), text);
    seed.source = m_ledger.keep(text);
    m_ledger.record(events::CandidateMade{seed});
    Q_EMIT candidateMade(seed.id);
}

} // namespace tilewright
