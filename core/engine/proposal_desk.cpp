// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposal_desk.h"

#include "core/patch/patch.h"
#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Requests an island in a row that may lead to nothing new before the desk waits for results.
constexpr int fruitlessAnIsland = 4;

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

/// What the texts decide about a new candidate.
Candidate describe(Candidate candidate, const std::string& text)
{
    candidate.program = programIdentity(text);
    candidate.tunables = valuesOf(tunablesOf(text));
    return candidate;
}

} // namespace

ProposalDesk::ProposalDesk(Ledger& ledger, const Strategy& strategy)
    : m_ledger(ledger)
    , m_strategy(strategy)
{
}

Proposer& ProposalDesk::proposerCalled(const std::string& name)
{
    auto& held = m_proposers[name];
    if (!held)
        held = proposerNamed(name);
    return held ? *held : proposerCalled("mutator");
}

Proposer& ProposalDesk::proposerFor(const ProposalRequest& request)
{
    const std::string& wanted = m_ledger.state().settings.proposer;
    return proposerCalled(wanted == "mutator" && request.focus == Focus::Tune ? "tuner" : wanted);
}

int ProposalDesk::pending() const
{
    std::int64_t count = 0;
    for (const auto& [island, waiting] : m_pending)
        count += waiting;
    return static_cast<int>(count);
}

void ProposalDesk::dropPending()
{
    ++m_epoch;
    m_pending.clear();
}

bool ProposalDesk::ask()
{
    const RunState& state = m_ledger.state();
    if (m_fruitless >= fruitlessAnIsland * static_cast<int>(state.islands.size()))
        return false;
    const auto request = m_strategy.next(state, m_pending);
    if (!request)
        return false;
    ++m_pending[request->island];
    Proposer& proposer = proposerFor(*request);
    const ProposerView view{state, m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
    proposer.propose(
        *request, view, [this, request = *request, name = proposer.name(), epoch = m_epoch](Result<Offer> offer) {
            if (epoch != m_epoch)
                return;
            if (--m_pending[request.island] == 0)
                m_pending.erase(request.island);
            answered(request, name, std::move(offer));
        });
    return true;
}

void ProposalDesk::answered(const ProposalRequest& request, const std::string& proposer, Result<Offer> offer)
{
    if (!offer && proposer == "tuner" && m_ledger.state().settings.proposer == "mutator") {
        // Nothing left to tune there: look for a new structure instead, with the same draw.
        ProposalRequest instead = request;
        instead.focus = Focus::Explore;
        const ProposerView view{
            m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
        proposerCalled("mutator").propose(
            instead, view, [this, instead](Result<Offer> second) { answered(instead, "mutator", std::move(second)); });
        return;
    }
    Proposal proposal;
    proposal.id = m_ledger.nextProposal();
    proposal.island = request.island;
    proposal.ordinal = request.ordinal;
    proposal.proposer = proposer;
    proposal.focus = request.focus;
    proposal.parents = offer ? offer->parents : request.parents;
    if (offer) {
        proposal.moves = offer->moves;
        proposal.reply = m_ledger.keep(offer->reply);
        Reply words = wordsOf(offer->reply);
        proposal.reasoning = std::move(words.reasoning);
        proposal.claim = std::move(words.claim);
    }
    m_ledger.record(events::Proposed{proposal});
    if (!offer)
        return refused(proposal.id, ProposalState::Refused, offer.error().code, offer.error().text);
    apply(proposal.id);
}

void ProposalDesk::refused(ProposalId id, ProposalState state, const std::string& rule, const std::string& detail)
{
    ++m_fruitless;
    m_ledger.record(events::ProposalRefused{id, state, rule, detail});
    Q_EMIT idle();
}

void ProposalDesk::apply(ProposalId id)
{
    const Proposal proposal = *m_ledger.state().proposal(id);
    const Candidate* parent = proposal.parents.empty() ? nullptr : m_ledger.state().candidate(proposal.parents.front());
    const std::string source = parent ? m_ledger.text(parent->source) : std::string();
    if (source.empty())
        return refused(id, ProposalState::Refused, "proposer/parent", "the text of its parent is not in the session");
    const auto patched = applyReply(source, m_ledger.pack().task.sources.front(), m_ledger.text(proposal.reply));
    if (!patched)
        return refused(id, ProposalState::Refused, ruleOfCode(patched.error().code), patched.error().error().text);

    Candidate candidate;
    candidate.id = m_ledger.nextCandidate();
    candidate.proposal = id;
    candidate.island = proposal.island;
    candidate.parents = proposal.parents;
    for (const CandidateId ancestor : proposal.parents)
        if (const Candidate* known = m_ledger.state().candidate(ancestor))
            candidate.generation = std::max(candidate.generation, known->generation + 1);
    candidate.moves = lineageWith(parent->moves, proposal.moves);
    if (proposal.proposer == "tuner")
        candidate.tunedFrom = parent->id;
    candidate = describe(std::move(candidate), patched->text);
    const auto& known = m_ledger.state().firstOfProgram;
    if (const auto first = known.find(candidate.program); first != known.end())
        return refused(id, ProposalState::Duplicate, "duplicate", candidateName(first->second));
    candidate.source = m_ledger.keep(patched->text);
    candidate.patch = m_ledger.keep(patched->diff);
    m_fruitless = 0;
    m_ledger.record(events::CandidateMade{candidate});
    Q_EMIT candidateMade(candidate.id);
}

void ProposalDesk::resumeOpen()
{
    std::vector<ProposalId> open;
    for (const Proposal& proposal : m_ledger.state().proposals)
        if (proposal.state == ProposalState::Open)
            open.push_back(proposal.id);
    for (const ProposalId id : open) {
        if (m_ledger.state().proposal(id)->proposer == "seed")
            plantSeed();
        else
            apply(id);
    }
}

void ProposalDesk::plantSeed()
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
