// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposal_desk.h"

#include "core/base/text.h"
#include "core/engine/model_answer.h"
#include "core/evolve/boosts.h"
#include "core/model/parent_change.h"
#include "core/prompt/insights.h"
#include "core/prompt/template_use.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr const char* authorStatistics = "statistics";

/// It tells something that only who reads prompts can do.
bool isForReaders(const ProposalRequest& request) { return !request.idea.empty() || request.prompt; }

} // namespace

ProposalDesk::ProposalDesk(Ledger& ledger, std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_runTime(std::move(runTime))
{
    m_nextStandIn.setSingleShot(true);
    connect(&m_nextStandIn, &QTimer::timeout, this, &ProposalDesk::idle);
}

void ProposalDesk::employ(std::unique_ptr<Proposer> proposer)
{
    m_proposers[m_ledger.state().settings.proposer] = std::move(proposer);
}

void ProposalDesk::employ(std::unique_ptr<Correspondent> correspondent, PromptSources prompts)
{
    m_correspondence
        = std::make_unique<Correspondence>(m_ledger, std::move(correspondent), std::move(prompts), m_runTime);
    connect(m_correspondence.get(), &Correspondence::answered, this, &ProposalDesk::inquiryAnswered);
    connect(m_correspondence.get(), &Correspondence::stuck, this, &ProposalDesk::stuck);
    connect(m_correspondence.get(), &Correspondence::moved, this, &ProposalDesk::idle);
}

void ProposalDesk::dismiss()
{
    dropPending();
    m_correspondence.reset();
    m_proposers.clear();
    m_done.clear();
    m_standingIn.clear();
    refresh();
}

void ProposalDesk::endForeign()
{
    const std::string kind = m_correspondence ? m_correspondence->correspondent().name() : "";
    std::vector<Inquiry> open;
    for (const Inquiry& inquiry : m_ledger.state().inquiries)
        if (inquiry.state == InquiryState::Open && inquiry.proposer != kind)
            open.push_back(inquiry);
    for (const Inquiry& inquiry : open) {
        InquiryAnswer none;
        none.state = InquiryState::Failed;
        none.model = inquiry.model;
        none.tries = inquiry.tries;
        none.rule = ruleOfNewProposer;
        none.detail = "somebody else is asked for edits now";
        m_ledger.record(events::Answered{inquiry.id, std::move(none), m_runTime()});
    }
    if (m_correspondence)
        return;
    std::vector<WishId> unread;
    for (const Wish& wish : m_ledger.state().wishes)
        if (wish.isOpen() && (!wish.idea.empty() || wish.prompt))
            unread.push_back(wish.id);
    for (const WishId id : unread)
        m_ledger.record(events::WishWithdrawn{id});
    if (!unread.empty())
        m_ledger.record(events::Noted{"warning",
            "ideas and prompts that were wished are dropped: " + m_ledger.state().settings.proposer
                + " reads no prompt",
            "wish them again once language models or a person are asked"});
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

ProposerView ProposalDesk::view()
{
    return {m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
}

int ProposalDesk::pending() const
{
    std::int64_t count = m_correspondence ? m_correspondence->out() : 0;
    for (const auto& [island, waiting] : m_pending)
        count += waiting;
    return static_cast<int>(count);
}

bool ProposalDesk::hasRoom(int room) const
{
    // Who answers later is asked ahead of need, up to what they take; who answers at once, when it is needed.
    if (!m_correspondence)
        return room > pending();
    // What a person wishes to be asked does not wait behind what is to be measured.
    if (const auto wished = m_correspondence->hasRoom() ? wishedRequest(m_ledger.state(), m_pending) : std::nullopt;
        wished && isForReaders(*wished))
        return true;
    return room > 0 && (m_correspondence->hasRoom() || mixesBuiltIn(m_ledger.state()) || standsIn());
}

std::string ProposalDesk::exhaustion() const
{
    if (!m_done.empty())
        return m_done;
    const RunState& run = m_ledger.state();
    const auto isUsable = [&run](const Candidate& each) { return each.isRanked() && !isBanned(run, each.id); };
    if (!run.marks.empty() && std::ranges::none_of(run.candidates, isUsable))
        return "every program that could be a parent is banned: lift a ban to go on";
    if (!m_correspondence)
        return "nothing new is left to try";
    const std::string why = m_refusal.empty() ? "" : "; the last answer: " + m_refusal;
    return std::to_string(m_fruitless) + " answers in a row led to nothing new" + why;
}

void ProposalDesk::dropPending()
{
    ++m_epoch;
    m_pending.clear();
    if (m_correspondence)
        m_correspondence->abandon();
}

void ProposalDesk::dropUnwanted()
{
    if (m_correspondence)
        m_correspondence->dropUnwanted();
}

bool ProposalDesk::isFruitless() const
{
    return m_correspondence && m_correspondence->correspondent().isPaid() && m_fruitless > 0;
}

int ProposalDesk::mostFruitless() const
{
    constexpr int anIsland = 4;
    return anIsland * static_cast<int>(m_ledger.state().islands.size());
}

bool ProposalDesk::isSpent() const
{
    return m_fruitless >= mostFruitless()
        && std::ranges::none_of(m_proposers, [](const auto& each) { return each.second->endsByItself(); });
}

bool ProposalDesk::ask(const RestingIslands& resting)
{
    if (!m_done.empty())
        return false;
    tellStandIns();
    if (m_correspondence && m_correspondence->hasRoom())
        if (const auto due = m_correspondence->nextDue(resting)) {
            const bool isAsked = m_correspondence->ask(*due) == Correspondence::Asked::Yes;
            if (isAsked || !standsIn())
                return isAsked;
        }
    std::optional<ProposalRequest> request = wishedRequest(m_ledger.state(), m_pending);
    if (!request && isSpent())
        return false;
    if (!request)
        request = nextRequest(m_ledger.state(), m_pending, resting);
    if (!request)
        return false;
    const std::string drawn = drawnFor(*request);
    // Each island keeps its turn: a mix would be another one if whoever answers at once went on meanwhile.
    if (m_correspondence && drawn != "mutator" && drawn != "tuner")
        return (m_correspondence->hasRoom() && m_correspondence->ask({*request, {}, {}}) == Correspondence::Asked::Yes)
            || standIn(*request, resting);
    askBuiltIn(*request, drawn);
    return true;
}

std::string ProposalDesk::drawnFor(const ProposalRequest& request) const
{
    if (m_correspondence && isForReaders(request))
        return {};
    return drawnProposer(m_ledger.state(), request, m_correspondence ? m_correspondence->correspondent().name() : "");
}

void ProposalDesk::askBuiltIn(const ProposalRequest& wanted, const std::string& drawn)
{
    ProposalRequest request = wanted;
    if (drawn == "tuner")
        request.focus = Focus::Tune;
    else if (drawn == "mutator" && request.focus == Focus::Tune)
        request.focus = Focus::Explore; // the tuner has a weight of its own
    ++m_pending[request.island];
    Proposer& proposer = drawn.empty() ? proposerFor(request) : proposerCalled(drawn);
    proposer.propose(request, view(), [this, request, name = proposer.name(), epoch = m_epoch](Result<Offer> offer) {
        if (epoch != m_epoch)
            return;
        if (--m_pending[request.island] == 0)
            m_pending.erase(request.island);
        answered(request, name, std::move(offer));
    });
}

void ProposalDesk::answered(const ProposalRequest& request, const std::string& proposer, Result<Offer> offer)
{
    if (!offer && offer.error().code == "replay/done") {
        m_done = offer.error().text;
        Q_EMIT idle();
        return;
    }
    if (!offer && proposer == "tuner" && mayMutate(m_ledger.state(), request.island)) {
        // Nothing left to tune there: look for a new structure instead, with the same draw.
        ProposalRequest instead = request;
        instead.focus = Focus::Explore;
        proposerCalled("mutator").propose(instead, view(),
            [this, instead](Result<Offer> second) { answered(instead, "mutator", std::move(second)); });
        return;
    }
    Proposal proposal;
    proposal.island = request.island;
    proposal.ordinal = request.ordinal;
    proposal.proposer = proposer;
    proposal.focus = request.focus;
    proposal.parents = offer ? offer->parents : request.parents;
    proposal.wish = request.wish;
    if (!offer) {
        proposal.id = m_ledger.nextProposal();
        m_ledger.record(events::Proposed{proposal});
        return refused(proposal.id, offer.error().code, offer.error().text);
    }
    if (offer->as) {
        proposal.island = offer->as->island;
        proposal.ordinal = offer->as->ordinal;
        proposal.focus = offer->as->focus;
        proposal.repairOf = offer->as->repairOf;
        proposal.attempt = offer->as->attempt;
        proposal.whole = offer->as->whole;
    }
    proposal.moves = offer->moves;
    proposal.finish = offer->finish;
    propose(std::move(proposal), offer->reply);
}

void ProposalDesk::inquiryAnswered(InquiryId id)
{
    const Inquiry inquiry = *m_ledger.state().inquiry(id);
    const bool isWhole = inquiry.state == InquiryState::Complete && !inquiry.answer.reply.isNull();
    if (inquiry.asksForSummary()) {
        const auto summary = isWhole ? fitSummary(m_ledger.text(inquiry.answer.reply)) : Result<std::string>();
        if (isWhole && !summary)
            m_correspondence->warn("the summary that " + inquiry.answer.model
                + " wrote is not taken: " + summary.error().text + "; the run's statistics stand in its place");
        if (isWhole && summary)
            writeInsights(inquiry.answer.model, *summary, id);
        else
            writeInsights(authorStatistics, insightText(m_ledger.state(), m_ledger.pack().moves));
        Q_EMIT idle();
        return;
    }
    if (inquiry.asksForJudgement()) {
        if (isWhole)
            judge(inquiry);
        Q_EMIT idle();
        return;
    }
    if (inquiry.unwanted) {
        Q_EMIT idle();
        return;
    }
    if (!isWhole) {
        // Whether a model that does not answer is asked on is its own matter; an answer without an edit is not.
        const bool isRefused = inquiry.answer.rule == "llm/refused";
        if (isRefused || !m_correspondence->correspondent().isPaid())
            ++m_fruitless;
        m_refusal = isRefused ? inquiry.answer.detail : std::string();
        Q_EMIT idle();
        return;
    }
    m_refusal.clear();
    Proposal proposal;
    proposal.island = inquiry.island;
    proposal.ordinal = inquiry.ordinal;
    proposal.proposer = inquiry.proposer;
    proposal.focus = inquiry.focus;
    proposal.parents = inquiry.parents;
    proposal.inquiry = id;
    proposal.finish = inquiry.answer.finish;
    proposal.repairOf = inquiry.repairOf;
    proposal.attempt = inquiry.attempt;
    proposal.whole = inquiry.promptName == "translate";
    proposal.wish = inquiry.wish;
    propose(std::move(proposal), m_ledger.text(inquiry.answer.reply));
}

void ProposalDesk::learn(ProposalId id, double gain)
{
    if (m_correspondence)
        m_correspondence->learn(*m_ledger.state().proposal(id), gain);
}

void ProposalDesk::settled(CandidateId id)
{
    refresh();
    const RunState& state = m_ledger.state();
    const Candidate* candidate = state.candidate(id);
    if (!candidate || candidate->migrated || !state.proposal(candidate->proposal))
        return;
    const auto change = versusParent(state, *candidate);
    learn(candidate->proposal, change && !change->isWithinNoise() ? change->ratio.value - 1 : 0);
}

void ProposalDesk::rejected(CandidateId id)
{
    refresh();
    if (auto booked = rejectionBooked(m_ledger.state(), *m_ledger.state().candidate(id)))
        m_ledger.record(std::move(*booked));
}

void ProposalDesk::rejectionTakenBack(CandidateId id)
{
    if (auto booked = tilewright::rejectionTakenBack(m_ledger.state(), *m_ledger.state().candidate(id)))
        m_ledger.record(std::move(*booked));
}

void ProposalDesk::writeInsights(const std::string& author, const std::string& text, InquiryId inquiry)
{
    InsightNote note;
    note.number = static_cast<int>(m_ledger.state().insights.size()) + 1;
    note.author = author;
    note.evaluations = m_ledger.state().evaluationsDone;
    note.text = text.empty() ? Hash{} : m_ledger.keepWords(printable(text));
    note.inquiry = inquiry;
    m_ledger.record(events::InsightsWritten{std::move(note)});
}

void ProposalDesk::summarise()
{
    // Tried again with the next result if it cannot be asked now; what no model can read is not asked at all.
    if (m_correspondence && m_correspondence->canSummarise()
        && m_correspondence->askForSummary() != Correspondence::Asked::TooLong)
        return;
    if (const std::string text = insightText(m_ledger.state(), m_ledger.pack().moves); !text.empty())
        writeInsights(authorStatistics, text);
}

Result<void> ProposalDesk::askForJudgements()
{
    return m_correspondence ? m_correspondence->askForJudgements() : Result<void>();
}

void ProposalDesk::judge(const Inquiry& inquiry)
{
    Judgement judgement = judgementIn(m_ledger.text(inquiry.answer.reply), m_ledger.state());
    judgement.inquiry = inquiry.id;
    judgement.candidate = inquiry.parents.front();
    m_ledger.record(events::Judged{std::move(judgement)});
}

void ProposalDesk::resumeOpen()
{
    endForeign();
    std::vector<ProposalId> open;
    for (const Proposal& proposal : m_ledger.state().proposals)
        if (proposal.state == ProposalState::Open)
            open.push_back(proposal.id);
    for (const ProposalId id : open) {
        if (m_ledger.state().proposal(id)->proposer == "seed")
            plantSeed();
        else
            apply(id, tilewright::replyOf(m_ledger, *m_ledger.state().proposal(id)));
    }
    if (m_correspondence)
        m_correspondence->takeUp();
}

namespace {

std::optional<ModelOutcome> rejectionOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = candidate.migrated ? nullptr : state.proposal(candidate.proposal);
    const Inquiry* inquiry = proposal ? state.inquiry(proposal->inquiry) : nullptr;
    if (!inquiry || inquiry->model.empty())
        return std::nullopt;
    return outcomeOf(*inquiry, 0, proposalsOfReply(state, *proposal));
}

events::ArmChanged changed(const EnsembleState& books, const std::string& model)
{
    return {model, books.arms.at(model)};
}

} // namespace

std::optional<events::ArmChanged> rejectionBooked(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(after({{}, state.arms}, *outcome), outcome->model)) : std::nullopt;
}

std::optional<events::ArmChanged> rejectionTakenBack(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(without({{}, state.arms}, *outcome), outcome->model)) : std::nullopt;
}

} // namespace tilewright
