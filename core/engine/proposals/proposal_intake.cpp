// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposals/proposal_intake.h"

#include "core/base/text.h"
#include "core/engine/replies/model_answer.h"
#include "core/evolve/boosts.h"
#include "core/model/parent_change.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/spent_budget.h"
#include "core/prompt/insights.h"
#include "core/prompt/template_use.h"
#include "core/proposer/tuning.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr const char* authorStatistics = "statistics";

/// It tells something that only who reads prompts can do.
bool isForReaders(const ProposalRequest& request) { return !request.idea.empty() || request.prompt; }

} // namespace

ProposalIntake::ProposalIntake(Ledger& ledger, std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_runTime(std::move(runTime))
{
    m_nextFallback.setSingleShot(true);
    connect(&m_nextFallback, &QTimer::timeout, this, &ProposalIntake::idle);
}

void ProposalIntake::setProposer(std::unique_ptr<Proposer> proposer)
{
    m_proposers[m_ledger.state().settings.proposer] = std::move(proposer);
}

void ProposalIntake::setProposer(std::unique_ptr<ReplySource> replySource, PromptSources prompts)
{
    m_requestQueue
        = std::make_unique<ModelRequestQueue>(m_ledger, std::move(replySource), std::move(prompts), m_runTime);
    connect(m_requestQueue.get(), &ModelRequestQueue::answered, this, &ProposalIntake::modelRequestAnswered);
    connect(m_requestQueue.get(), &ModelRequestQueue::stuck, this, &ProposalIntake::stuck);
    connect(m_requestQueue.get(), &ModelRequestQueue::moved, this, &ProposalIntake::idle);
}

void ProposalIntake::clearProposer()
{
    dropPending();
    m_requestQueue.reset();
    m_proposers.clear();
    m_done.clear();
    m_fallbackIslands.clear();
    m_tunings.clear();
    m_recombinations.clear();
    refresh();
}

void ProposalIntake::endForeign()
{
    const std::string kind = m_requestQueue ? m_requestQueue->replySource().name() : "";
    std::vector<ModelRequest> open;
    for (const ModelRequest& modelRequest : m_ledger.state().modelRequests)
        if (modelRequest.state == ModelRequestState::Open && modelRequest.proposer != kind)
            open.push_back(modelRequest);
    for (const ModelRequest& modelRequest : open) {
        ModelRequestAnswer none;
        none.state = ModelRequestState::Failed;
        none.model = modelRequest.model;
        none.tries = modelRequest.tries;
        none.rule = ruleOfNewProposer;
        none.detail = "the proposer has been changed";
        m_ledger.record(events::Answered{modelRequest.id, std::move(none), m_runTime()});
    }
    if (m_requestQueue)
        return;
    std::vector<SteeringRequestId> unread;
    for (const SteeringRequest& steering : m_ledger.state().steeringRequests)
        if (steering.isOpen() && (!steering.idea.empty() || steering.prompt))
            unread.push_back(steering.id);
    for (const SteeringRequestId id : unread)
        m_ledger.record(events::SteeringRequestCancelled{id});
    if (!unread.empty())
        m_ledger.record(events::Noted{"warning",
            "requested ideas and prompts are cancelled: " + m_ledger.state().settings.proposer + " uses no prompts",
            "request them again once the run uses language models or manual replies"});
}

Proposer& ProposalIntake::proposerCalled(const std::string& name)
{
    auto& held = m_proposers[name];
    if (!held && name == recombinerName)
        held = std::make_unique<Recombiner>();
    if (!held)
        held = proposerNamed(name);
    return held ? *held : proposerCalled("mutator");
}

Proposer& ProposalIntake::proposerFor(const ProposalRequest& request)
{
    const std::string& wanted = m_ledger.state().settings.proposer;
    return proposerCalled(wanted == "mutator" && request.focus == Focus::Tune ? "tuner" : wanted);
}

ProposerView ProposalIntake::view()
{
    return {m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
}

int ProposalIntake::pending() const
{
    std::int64_t count = m_requestQueue ? m_requestQueue->out() : 0;
    for (const auto& [island, waiting] : m_pending)
        count += waiting;
    return static_cast<int>(count);
}

bool ProposalIntake::hasRoom(int room) const
{
    // Who answers later is asked ahead of need, up to what they take; who answers at once, when it is needed.
    if (!m_requestQueue)
        return room > pending();
    // What a user steering requests to be asked does not wait behind what is to be measured.
    if (const auto requested
        = m_requestQueue->hasRoom() ? steeringRequestOf(m_ledger.state(), m_pending) : std::nullopt;
        requested && isForReaders(*requested))
        return true;
    return room > 0
        && (m_requestQueue->hasRoom() || mixesBuiltIn(m_ledger.state()) || hasFallback() || !m_tunings.empty()
            || m_recombinations.areLeft(m_ledger.state()));
}

std::string ProposalIntake::exhaustion() const
{
    if (!m_done.empty())
        return m_done;
    const RunState& run = m_ledger.state();
    const auto isUsable = [&run](const Candidate& each) { return each.isRanked() && !isBanned(run, each.id); };
    if (!run.marks.empty() && std::ranges::none_of(run.candidates, isUsable))
        return "every possible parent is banned: unban one to continue";
    if (!m_requestQueue)
        return "no new edits left to try";
    const std::string why = m_refusal.empty() ? "" : "; the last reply: " + m_refusal;
    return std::to_string(m_fruitless) + " replies in a row contained nothing new" + why;
}

void ProposalIntake::dropPending()
{
    ++m_epoch;
    m_pending.clear();
    if (m_requestQueue)
        m_requestQueue->abandon();
}

void ProposalIntake::dropUnwanted()
{
    if (m_requestQueue)
        m_requestQueue->dropUnwanted();
}

bool ProposalIntake::repliesAreSpent() const
{
    const RunState& state = m_ledger.state();
    const std::int64_t budget = state.settings.budget.replies;
    return m_requestQueue && budget > 0 && repliesSpent(state) >= budget;
}

bool ProposalIntake::isFruitless() const
{
    return m_requestQueue && m_requestQueue->replySource().isPaid() && m_fruitless > 0;
}

int ProposalIntake::mostFruitless() const
{
    constexpr int anIsland = 4;
    return anIsland * static_cast<int>(m_ledger.state().islands.size());
}

bool ProposalIntake::isSpent() const
{
    return m_fruitless >= mostFruitless()
        && std::ranges::none_of(m_proposers, [](const auto& each) { return each.second->endsByItself(); });
}

bool ProposalIntake::ask(const RestingIslands& resting)
{
    if (const auto version = nextVersion(resting)) {
        askBuiltIn(*version, "tuner");
        return true;
    }
    if (m_requestQueue)
        if (const auto recombination = m_recombinations.next(view(), m_pending, resting)) {
            askBuiltIn(*recombination, recombinerName);
            return true;
        }
    if (!m_done.empty() || repliesAreSpent())
        return false;
    reportFallbacks();
    if (m_requestQueue && m_requestQueue->hasRoom())
        if (const auto due = m_requestQueue->nextDue(resting)) {
            const bool isAsked = m_requestQueue->ask(*due) == ModelRequestQueue::Asked::Yes;
            if (isAsked || !hasFallback())
                return isAsked;
        }
    std::optional<ProposalRequest> request = steeringRequestOf(m_ledger.state(), m_pending);
    if (!request && isSpent())
        return false;
    if (!request)
        request = nextRequest(m_ledger.state(), m_pending, resting);
    if (!request)
        return false;
    const bool isTuned = m_requestQueue && m_ledger.state().settings.tuning > 0 && request->focus == Focus::Tune
        && !isForReaders(*request);
    const std::string drawn = isTuned ? "tuner" : drawnFor(*request);
    // Each island keeps its turn: a mix would be another one if whoever answers at once went on meanwhile.
    if (m_requestQueue && drawn != "mutator" && drawn != "tuner")
        return (m_requestQueue->hasRoom()
                   && m_requestQueue->ask({*request, {}, {}, whyRequested(m_ledger.state(), *request)})
                       == ModelRequestQueue::Asked::Yes)
            || fallBack(*request, resting);
    askBuiltIn(*request, drawn);
    return true;
}

std::string ProposalIntake::drawnFor(const ProposalRequest& request) const
{
    if (m_requestQueue && isForReaders(request))
        return {};
    return drawnProposer(m_ledger.state(), request, m_requestQueue ? m_requestQueue->replySource().name() : "");
}

void ProposalIntake::askBuiltIn(const ProposalRequest& wanted, const std::string& drawn)
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

void ProposalIntake::answered(const ProposalRequest& request, const std::string& proposer, Result<Offer> offer)
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
    if (!offer && proposer == "tuner" && m_requestQueue && !m_tunings.contains(request.parents.front())) {
        ProposalRequest instead = request;
        instead.focus = Focus::Exploit;
        if (m_requestQueue->hasRoom()
            && m_requestQueue->ask({instead, {}, {}, whyRequested(m_ledger.state(), instead)})
                == ModelRequestQueue::Asked::Yes)
            return;
    }
    Proposal proposal;
    proposal.island = request.island;
    proposal.ordinal = request.ordinal;
    proposal.proposer = proposer;
    proposal.focus = request.focus;
    proposal.parents = offer ? offer->parents : request.parents;
    proposal.steering = request.steering;
    if (proposer == recombinerName)
        proposal.why = "a successful edit, tried on another program";
    else if (proposer != "replay")
        proposal.why = whyRequested(m_ledger.state(), request);
    m_recombinations.noteOffer(m_ledger.state(), proposal);
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

void ProposalIntake::modelRequestAnswered(ModelRequestId id)
{
    const ModelRequest modelRequest = *m_ledger.state().modelRequest(id);
    const bool isWhole = modelRequest.state == ModelRequestState::Complete && !modelRequest.answer.reply.isNull();
    if (modelRequest.asksForSummary()) {
        const auto summary = isWhole ? fitSummary(m_ledger.text(modelRequest.answer.reply)) : Result<std::string>();
        if (isWhole && !summary)
            m_requestQueue->warn("the summary written by " + modelRequest.answer.model
                + " is not used: " + summary.error().text + "; the run's statistics are used instead");
        if (isWhole && summary)
            writeInsights(modelRequest.answer.model, *summary, id);
        else
            writeInsights(authorStatistics, insightText(m_ledger.state(), m_ledger.pack().moves));
        Q_EMIT idle();
        return;
    }
    if (modelRequest.asksForJudgement()) {
        if (isWhole)
            judge(modelRequest);
        Q_EMIT idle();
        return;
    }
    if (modelRequest.unwanted) {
        Q_EMIT idle();
        return;
    }
    if (!isWhole) {
        // Whether a model that does not answer is asked on is its own matter; an answer without an edit is not.
        const bool isRefused = modelRequest.answer.rule == "llm/refused";
        if (isRefused || !m_requestQueue->replySource().isPaid())
            ++m_fruitless;
        m_refusal = isRefused ? modelRequest.answer.detail : std::string();
        Q_EMIT idle();
        return;
    }
    m_refusal.clear();
    Proposal proposal;
    proposal.island = modelRequest.island;
    proposal.ordinal = modelRequest.ordinal;
    proposal.proposer = modelRequest.proposer;
    proposal.focus = modelRequest.focus;
    proposal.parents = modelRequest.parents;
    proposal.modelRequest = id;
    proposal.finish = modelRequest.answer.finish;
    proposal.repairOf = modelRequest.repairOf;
    proposal.attempt = modelRequest.attempt;
    proposal.whole = modelRequest.promptName == "translate";
    proposal.why = modelRequest.why;
    proposal.steering = modelRequest.steering;
    propose(std::move(proposal), m_ledger.text(modelRequest.answer.reply));
}

void ProposalIntake::learn(ProposalId id, double gain)
{
    if (m_requestQueue)
        m_requestQueue->learn(*m_ledger.state().proposal(id), gain);
}

void ProposalIntake::settled(CandidateId id)
{
    refresh();
    const RunState& state = m_ledger.state();
    const Candidate* candidate = state.candidate(id);
    if (!candidate || candidate->migrated || !state.proposal(candidate->proposal))
        return;
    const ProposalId proposal = candidate->proposal;
    const auto change = versusParent(state, *candidate);
    learn(proposal, change && !change->isWithinNoise() ? change->ratio.value - 1 : 0);
    noteTuning(id);
    if (m_requestQueue) {
        m_recombinations.note(state, id);
        m_requestQueue->noteResult(proposal);
        m_requestQueue->dropOvertaken();
    }
}

void ProposalIntake::rejected(CandidateId id)
{
    refresh();
    if (auto booked = rejectionBooked(m_ledger.state(), *m_ledger.state().candidate(id)))
        m_ledger.record(std::move(*booked));
}

void ProposalIntake::rejectionUndone(CandidateId id)
{
    if (auto booked = tilewright::rejectionUndone(m_ledger.state(), *m_ledger.state().candidate(id)))
        m_ledger.record(std::move(*booked));
}

void ProposalIntake::writeInsights(const std::string& author, const std::string& text, ModelRequestId modelRequest)
{
    InsightNote note;
    note.number = static_cast<int>(m_ledger.state().insights.size()) + 1;
    note.author = author;
    note.evaluations = m_ledger.state().evaluationsDone;
    note.text = text.empty() ? Hash{} : m_ledger.keepWords(printable(text));
    note.modelRequest = modelRequest;
    m_ledger.record(events::InsightsWritten{std::move(note)});
}

void ProposalIntake::summarise()
{
    // Tried again with the next result if it cannot be asked now; what no model can read is not asked at all.
    if (m_requestQueue && m_requestQueue->canSummarise()
        && m_requestQueue->askForSummary() != ModelRequestQueue::Asked::TooLong)
        return;
    if (const std::string text = insightText(m_ledger.state(), m_ledger.pack().moves); !text.empty())
        writeInsights(authorStatistics, text);
}

Result<void> ProposalIntake::askForJudgements()
{
    return m_requestQueue ? m_requestQueue->askForJudgements() : Result<void>();
}

void ProposalIntake::judge(const ModelRequest& modelRequest)
{
    Judgement judgement = judgementIn(m_ledger.text(modelRequest.answer.reply), m_ledger.state());
    judgement.modelRequest = modelRequest.id;
    judgement.candidate = modelRequest.parents.front();
    m_ledger.record(events::Judged{std::move(judgement)});
}

void ProposalIntake::resumeOpen()
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
    constexpr std::size_t recent = 64; // what is older, the search has gone on from
    const std::size_t count = m_ledger.state().candidates.size();
    for (std::size_t i = count - std::min(count, recent); i < count; ++i)
        noteTuning(m_ledger.state().candidates[i].id);
    if (m_requestQueue) {
        m_recombinations.takeUp(m_ledger.state());
        m_requestQueue->takeUp();
    }
}

void ProposalIntake::noteTuning(CandidateId id)
{
    const RunState& state = m_ledger.state();
    const Candidate& candidate = *state.candidate(id);
    if (!isTunedFirst(state, candidate) || m_tunings.contains(id))
        return;
    const std::int64_t legal = legalAssignments(m_ledger.text(candidate.source));
    if (!isTuned(tuningOf(state, id), legal, state.settings.tuning))
        m_tunings[id] = legal;
}

std::optional<ProposalRequest> ProposalIntake::nextVersion(const RestingIslands& resting)
{
    const RunState& state = m_ledger.state();
    for (auto at = m_tunings.begin(); at != m_tunings.end();) {
        const auto& [id, legal] = *at;
        const Candidate& base = *state.candidate(id);
        const Island* island = state.island(base.island);
        const TuningRecord record = tuningOf(state, id);
        const bool isDropped
            = !island || island->standing == Standing::Ended || isBanned(state, id) || !isTunedFirst(state, base);
        if (isDropped || isTuned(record, legal, state.settings.tuning)) {
            at = m_tunings.erase(at);
            continue;
        }
        const auto waiting = m_pending.find(island->id);
        const std::int64_t unanswered = waiting == m_pending.end() ? 0 : waiting->second;
        if (wantsVersion(record, legal, state.settings.tuning) && island->standing == Standing::Living
            && !resting.contains(island->id) && mayPropose(state, island->id, unanswered))
            return ProposalRequest{island->id, island->proposals + unanswered + 1, Focus::Tune, {id}};
        ++at;
    }
    return std::nullopt;
}

namespace {

std::optional<ModelOutcome> rejectionOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = candidate.migrated ? nullptr : state.proposal(candidate.proposal);
    const ModelRequest* modelRequest = proposal ? state.modelRequest(proposal->modelRequest) : nullptr;
    if (!modelRequest || modelRequest->model.empty())
        return std::nullopt;
    return outcomeOf(*modelRequest, 0, proposalsOfReply(state, *proposal));
}

events::ModelStatisticsChanged changed(const EnsembleState& books, const std::string& model)
{
    return {model, books.statisticsByModel.at(model)};
}

} // namespace

std::optional<events::ModelStatisticsChanged> rejectionBooked(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(after({{}, state.statisticsByModel}, *outcome), outcome->model))
                   : std::nullopt;
}

std::optional<events::ModelStatisticsChanged> rejectionUndone(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(without({{}, state.statisticsByModel}, *outcome), outcome->model))
                   : std::nullopt;
}

} // namespace tilewright
