// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/model_request_queue.h"

#include "core/engine/replies/model_answer.h"
#include "core/model/islands/island_change.h"
#include "core/model/requests/conversation.h"
#include "core/model/requests/repair_turns.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Times that one question is put again after it was interrupted or failed.
constexpr int mostRepeats = 2;

void address(ModelRequest& modelRequest, const ModelReservation& reservation)
{
    modelRequest.model = reservation.model;
    modelRequest.place = reservation.place;
    modelRequest.mostTokens = reservation.mostTokens;
    modelRequest.mostMicroUsd = reservation.mostMicroUsd;
}

constexpr const char* noPatch = "patch/no-diff";

} // namespace

ModelRequestQueue::ModelRequestQueue(Ledger& ledger, std::unique_ptr<ReplySource> replySource, PromptSources prompts,
    std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_replySource(std::move(replySource))
    , m_prompts(std::move(prompts))
    , m_runTime(std::move(runTime))
{
    ReplySink sink;
    sink.answered = [this](ModelRequestId id, Response response) { receive(id, std::move(response)); };
    sink.arrived = [this](ModelRequestId id, ModelRequestBody body, const std::string& bytes) {
        store(id, std::move(body), bytes);
    };
    sink.triesAgain = [this](ModelRequestId id, int number) { noteTry(id, number); };
    sink.statisticsChanged = [this](const std::string& model, const ModelStatistics& statistics) {
        m_ledger.record(events::ModelStatisticsChanged{model, statistics});
    };
    sink.noted = [this](const std::string& severity, const std::string& text) {
        m_notices.push_back(text);
        m_ledger.record(events::Noted{severity, text, ""});
    };
    sink.state = [this]() -> const RunState& { return m_ledger.state(); };
    sink.moved = [this] {
        m_turnedAway = false;
        Q_EMIT moved();
    };
    m_replySource->open(std::move(sink));
}

void ModelRequestQueue::warn(const std::string& text)
{
    if (std::ranges::find(m_notices, text) != m_notices.end())
        return;
    m_notices.push_back(text);
    m_ledger.record(events::Noted{"warning", text, ""});
}

ProposerView ModelRequestQueue::view()
{
    return {m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
}

/// A further turn of what a user requested tells their idea as well.
ProposalRequest ModelRequestQueue::withSteering(ProposalRequest request, SteeringRequestId id) const
{
    const std::vector<SteeringRequest>& steeringRequests = m_ledger.state().steeringRequests;
    const bool known = id.value >= 1 && static_cast<std::size_t>(id.value) <= steeringRequests.size();
    request.steering = id;
    request.idea = known ? steeringRequests[static_cast<std::size_t>(id.value - 1)].idea : "";
    return request;
}

std::optional<ModelRequestQueue::Task> ModelRequestQueue::nextDue(const RestingIslands& resting) const
{
    for (const ModelRequestId id : m_again) {
        const ModelRequest& earlier = *m_ledger.state().modelRequest(id);
        if (!resting.contains(earlier.island))
            return Task{
                withSteering({earlier.island, earlier.ordinal, earlier.focus, earlier.parents}, earlier.steering),
                earlier.repairOf, earlier.id};
    }
    for (const ProposalId id : m_due) {
        const Proposal& failed = *m_ledger.state().proposal(id);
        if (resting.contains(failed.island) || awaitsSiblings(m_ledger.state(), failed))
            continue;
        const FurtherTurn turn = earnedTurn(m_ledger.state(), failed);
        if (turn == FurtherTurn::None)
            continue; // a sibling was placed meanwhile
        ProposalRequest request{failed.island, failed.ordinal, Focus::Repair, failed.parents};
        if (turn == FurtherTurn::Rewrite)
            request.focus = Focus::Rewrite;
        if (turn == FurtherTurn::ProgramRepair)
            request.parents = {candidateOf(m_ledger.state(), failed)->id};
        const std::string why = turn == FurtherTurn::ProgramRepair
            ? "its program failed or is slower: the findings are sent back to its author"
            : "its patch did not apply";
        return Task{withSteering(std::move(request), failed.steering), failed.id, {}, why};
    }
    return std::nullopt;
}

/// Of a refused reply and those that it was to mend: the newest with a patch, which tells the idea. Itself if none has.
const Proposal& ModelRequestQueue::newestWithPatch(ProposalId refused) const
{
    const RunState& state = m_ledger.state();
    const Proposal* found = state.proposal(refused);
    while (found->rule == noPatch) {
        const ModelRequest* modelRequest = state.modelRequest(found->modelRequest);
        const Proposal* before
            = modelRequest && modelRequest->repairOf ? state.proposal(modelRequest->repairOf) : nullptr;
        if (!before)
            return *state.proposal(refused);
        found = before;
    }
    return *found;
}

Result<ModelRequest> ModelRequestQueue::rendered(const Task& task, ModelRequest modelRequest, bool inConversation)
{
    std::optional<FailedReply> failed;
    modelRequest.continues = {};
    if (task.repairs && m_ledger.state().proposal(task.repairs)->state == ProposalState::Accepted) {
        // Its program failed: the prompt tells what was found, and shows the program.
        if (inConversation)
            modelRequest.continues = m_ledger.state().proposal(task.repairs)->modelRequest;
    } else if (task.repairs) {
        const Proposal& proposal
            = inConversation ? *m_ledger.state().proposal(task.repairs) : newestWithPatch(task.repairs);
        const std::string reply = replyOf(m_ledger, proposal);
        const auto applied = applyProposal(m_ledger, proposal, parentTextOf(m_ledger, proposal), reply);
        // Of a reply with several proposals the one that failed is shown again: nobody could tell which it was.
        const bool known = inConversation && proposal.part == 0;
        const bool anew = task.request.focus == Focus::Rewrite; // its template tells what to send
        const std::string finding = applied ? "" : anew ? applied.error().finding : applied.error().repairPrompt;
        failed = FailedReply{
            reply, proposal.rule, finding, m_ledger.state().proposal(task.repairs)->attempt, known, proposal.id};
        if (inConversation)
            modelRequest.continues = proposal.modelRequest;
    }
    const auto prompt = m_prompts.proposals(task.request, failed, view(), roomFor(task, modelRequest));
    if (!prompt && prompt.error().code == "prompt/budget" && modelRequest.continues) // without what was said before
        return rendered(task, std::move(modelRequest), /*inConversation=*/false);
    if (!prompt)
        return std::unexpected(prompt.error());
    take(modelRequest, *prompt);
    return modelRequest;
}

/// What the turns before leave of the room.
PromptRoom ModelRequestQueue::roomFor(const Task& task, const ModelRequest& modelRequest)
{
    PromptRoom room = m_replySource->promptRoom(task.request.island);
    if (room.tokens == 0)
        return room;
    std::size_t before = 0;
    for (const auto& [prompt, reply] : turnsBefore(modelRequest))
        before += prompt.size() + reply.size();
    const double rate = room.rate();
    const auto used = static_cast<std::int64_t>(std::ceil(static_cast<double>(before) * rate));
    room.tokens = std::max<std::int64_t>(room.tokens - used, 1);
    return room;
}

/// A turn that is too long for whoever can be asked is given up, and so is what a user requested to send; any other
/// first question that is, nobody can answer at all.
ModelRequestQueue::Asked ModelRequestQueue::cannotWrite(const Task& task, const Error& error)
{
    if (task.request.prompt && !task.repairs && !task.repeats) {
        m_ledger.record(events::SteeringRequestCancelled{task.request.steering});
        m_ledger.record(events::Noted{"warning", "a prompt was not sent: " + error.text, error.hint});
        return Asked::Yes;
    }
    if (!task.repairs || error.code != "prompt/budget")
        return stop(error);
    m_due.erase(task.repairs);
    m_again.erase(task.repeats);
    m_ledger.record(events::Noted{"warning", "no repair is requested: " + error.text, error.hint});
    return Asked::Yes; // it is settled, and the next question may be asked at once
}

void ModelRequestQueue::take(ModelRequest& modelRequest, const PromptText& prompt)
{
    modelRequest.promptName = prompt.name;
    modelRequest.promptVersion = prompt.version;
    modelRequest.system = m_ledger.keepWords(prompt.system);
    modelRequest.prompt = m_ledger.keepWords(prompt.user);
    modelRequest.leftOut = prompt.leftOut;
}

/// All that is known before it is decided who answers.
Result<ModelRequest> ModelRequestQueue::drafted(const Task& task, const std::string& preferred)
{
    ModelRequest modelRequest;
    modelRequest.island = task.request.island;
    modelRequest.ordinal = task.request.ordinal;
    modelRequest.parents = task.request.parents;
    modelRequest.steering = task.request.steering;
    if (task.repeats) {
        const ModelRequest& earlier = *m_ledger.state().modelRequest(task.repeats);
        modelRequest = earlier;
        modelRequest.repeats = earlier.id;
        modelRequest.state = ModelRequestState::Open;
        modelRequest.answer = {};
        modelRequest.tries = 1;
        modelRequest.bodies.clear();
        modelRequest.answeredNs = 0;
        return modelRequest;
    }
    modelRequest.focus = task.request.focus;
    modelRequest.why = task.why;
    if (task.repairs) {
        modelRequest.repairOf = task.repairs;
        modelRequest.attempt = m_ledger.state().proposal(task.repairs)->attempt + 1;
    }
    return rendered(task, std::move(modelRequest), !preferred.empty());
}

std::vector<std::pair<std::string, std::string>> ModelRequestQueue::turnsBefore(const ModelRequest& modelRequest)
{
    std::vector<std::pair<std::string, std::string>> turns;
    for (const ModelRequestId id : conversationOf(m_ledger.state(), modelRequest.continues)) {
        const ModelRequest& earlier = *m_ledger.state().modelRequest(id);
        turns.emplace_back(m_ledger.text(earlier.prompt), m_ledger.text(earlier.answer.reply));
    }
    return turns;
}

RequestDraft ModelRequestQueue::draftOf(const ModelRequest& modelRequest, const std::string& preferred)
{
    return {modelRequest.island, modelRequest.ordinal, m_ledger.text(modelRequest.system),
        m_ledger.text(modelRequest.prompt), turnsBefore(modelRequest), preferred, modelRequest.asksForSummary()};
}

ModelRequestQueue::Asked ModelRequestQueue::ask(const Task& asked)
{
    Task task = asked;
    if (task.request.focus == Focus::Tune)
        task.request.focus = Focus::Exploit; // constants are searched without asking anybody
    const RunState& state = m_ledger.state();
    std::string preferred;
    if (task.repeats)
        preferred = state.modelRequest(task.repeats)->model;
    else if (task.repairs)
        if (const ModelRequest* wrote = state.modelRequest(state.proposal(task.repairs)->modelRequest))
            preferred = wrote->model;
    auto modelRequest = drafted(task, preferred);
    if (!modelRequest)
        return cannotWrite(asked, modelRequest.error());
    RequestDraft question = draftOf(*modelRequest, preferred);
    auto reservation = m_replySource->reserve(question);
    if (!reservation)
        return turnedAway(reservation.error());
    if (modelRequest->continues && reservation->model != preferred) {
        // Another one has to mend it: it is told the whole story.
        task.repeats = {};
        modelRequest = rendered(task, std::move(*modelRequest), /*inConversation=*/false);
        if (!modelRequest)
            return cannotWrite(asked, modelRequest.error());
    }
    address(*modelRequest, *reservation);
    m_again.erase(asked.repeats);
    if (task.repairs)
        m_due.erase(task.repairs);
    return put(std::move(*modelRequest));
}

ModelRequestQueue::Asked ModelRequestQueue::askForSummary()
{
    const bool isOpen = std::ranges::any_of(
        m_out, [this](ModelRequestId id) { return m_ledger.state().modelRequest(id)->asksForSummary(); });
    if (isOpen || !canSummarise() || !hasRoom())
        return Asked::NotNow;
    const auto prompt = m_prompts.summary(view(), m_replySource->promptRoom({}));
    if (!prompt && prompt.error().code == "prompt/budget") {
        warn("no summary is requested: " + prompt.error().text);
        return Asked::TooLong;
    }
    if (!prompt)
        return stop(prompt.error());
    ModelRequest modelRequest;
    take(modelRequest, *prompt);
    auto reservation = m_replySource->reserve(draftOf(modelRequest, ""));
    if (!reservation)
        return turnedAway(reservation.error());
    address(modelRequest, *reservation);
    return put(std::move(modelRequest));
}

Result<void> ModelRequestQueue::askForJudgements()
{
    Result<void> done;
    while (const SteeringRequest* next = nextJudgement(m_ledger.state())) {
        if (out() >= m_replySource->capacity())
            return done; // with the next answer
        const SteeringRequestId id = next->id;
        const CandidateId candidate = next->parent;
        const auto asked = askForJudgement(SteeringRequest(*next));
        if (asked && *asked != Asked::Yes)
            return done;
        if (asked)
            continue;
        m_ledger.record(events::SteeringRequestCancelled{id});
        m_ledger.record(events::Noted{
            "warning", "no judgement of " + candidateName(candidate) + ": " + asked.error().text, asked.error().hint});
        done = std::unexpected(asked.error());
    }
    return done;
}

Result<ModelRequestQueue::Asked> ModelRequestQueue::askForJudgement(const SteeringRequest& steering)
{
    const Candidate& judged = *m_ledger.state().candidate(steering.parent);
    ProposalRequest request;
    request.island = steering.prompt.island ? steering.prompt.island : judged.island;
    request.focus = Focus::Exploit;
    request.parents = {judged.id};
    request.prompt = steering.prompt;
    const auto prompt = m_prompts.proposals(request, std::nullopt, view(), m_replySource->promptRoom(request.island));
    if (!prompt)
        return std::unexpected(prompt.error());
    ModelRequest modelRequest;
    take(modelRequest, *prompt);
    modelRequest.parents = request.parents;
    modelRequest.steering = steering.id;
    RequestDraft question = draftOf(modelRequest, "");
    question.island = request.island;
    question.wantsCheapest = true;
    const auto reservation = m_replySource->reserve(question);
    if (!reservation && reservation.error().code.starts_with("wait/"))
        return Asked::NotNow;
    if (!reservation)
        return std::unexpected(reservation.error());
    address(modelRequest, *reservation);
    return put(std::move(modelRequest));
}

/// "wait/…" is no trouble: it is tried again when something moved.
ModelRequestQueue::Asked ModelRequestQueue::turnedAway(const Error& error)
{
    if (!error.code.starts_with("wait/"))
        return stop(error);
    m_turnedAway = true;
    return Asked::NotNow;
}

ModelRequestQueue::Asked ModelRequestQueue::put(ModelRequest modelRequest)
{
    modelRequest.id = m_ledger.nextModelRequest();
    modelRequest.proposer = m_replySource->name();
    modelRequest.askedNs = m_runTime();
    m_ledger.record(events::Asked{modelRequest});
    if (auto written = m_ledger.flush(); !written) // before it leaves: an answer to what nobody asked would be lost
        return stop(written.error());
    send(modelRequest);
    return m_stuck.code.empty() ? Asked::Yes : Asked::Stuck;
}

void ModelRequestQueue::send(const ModelRequest& modelRequest)
{
    const OutgoingRequest outgoing{modelRequest.id, modelRequest.place, modelRequest.model, modelRequest.island,
        modelRequest.promptName, m_ledger.text(modelRequest.system), turnsBefore(modelRequest),
        m_ledger.text(modelRequest.prompt)};
    if (auto sent = m_replySource->send(outgoing); !sent) {
        stop(sent.error());
        return;
    }
    m_out.insert(modelRequest.id);
}

void ModelRequestQueue::store(ModelRequestId id, ModelRequestBody body, const std::string& bytes)
{
    if (!m_out.contains(id))
        return;
    body.bytes = m_ledger.keepWords(bytes);
    m_ledger.record(events::BodyArrived{id, std::move(body)});
    if (auto written = m_ledger.flush(); !written) // it still waits, and is tried again
        stop(written.error());
}

void ModelRequestQueue::noteTry(ModelRequestId id, int number)
{
    if (!m_out.contains(id))
        return;
    m_ledger.record(events::TriedAgain{id, number});
    if (auto written = m_ledger.flush(); !written)
        stop(written.error());
}

void ModelRequestQueue::record(ModelRequestId id, Response response)
{
    if (!response.text.empty())
        response.answer.reply = m_ledger.keepWords(response.text);
    m_ledger.record(events::Answered{id, std::move(response.answer), m_runTime()});
}

void ModelRequestQueue::receive(ModelRequestId id, Response response)
{
    if (m_out.erase(id) == 0)
        return;
    m_turnedAway = false;
    record(id, std::move(response));
    if (auto written = m_ledger.flush(); !written)
        stop(written.error());
    if (isWorthRepeating(*m_ledger.state().modelRequest(id)))
        m_again.insert(id);
    Q_EMIT answered(id);
}

/// What ended without an answer for no fault of its own; a first question only if we broke it off, as a strategy asks
/// for another anyway.
bool ModelRequestQueue::isWorthRepeating(const ModelRequest& modelRequest) const
{
    const bool failed
        = modelRequest.state == ModelRequestState::Failed || modelRequest.state == ModelRequestState::Incomplete;
    const bool isOfGone
        = modelRequest.unwanted || (!modelRequest.steering && isUnmade(m_ledger.state(), modelRequest.island));
    if (!failed || isOfGone || modelRequest.asksForSummary() || modelRequest.asksForJudgement()
        || modelRequest.answer.rule == "llm/refused"
        || (modelRequest.attempt == 1 && !modelRequest.answer.wasInterrupted()))
        return false;
    int repeats = 0;
    for (const ModelRequest* each = &modelRequest; each && each->repeats;
         each = m_ledger.state().modelRequest(each->repeats))
        ++repeats;
    return repeats < mostRepeats;
}

void ModelRequestQueue::noteResult(ProposalId id)
{
    const RunState& state = m_ledger.state();
    // A program may be measured several times: it is told of once.
    const bool isTold = std::ranges::any_of(
        state.modelRequests, [id](const ModelRequest& modelRequest) { return modelRequest.repairOf == id; });
    if (!isTold && state.proposal(id)->proposer == m_replySource->name() && earnsATurn(*state.proposal(id)))
        m_due.insert(id);
}

void ModelRequestQueue::learn(const Proposal& proposal, double gain)
{
    const ModelRequest* modelRequest = m_ledger.state().modelRequest(proposal.modelRequest);
    if (!modelRequest)
        return;
    const ModelRequest asked = *modelRequest;
    m_replySource->learn(asked, gain, proposalsOfReply(m_ledger.state(), proposal));
}

void ModelRequestQueue::resume(const std::string& model)
{
    m_replySource->resume(model);
    m_turnedAway = false;
    Q_EMIT moved();
}

ModelRequestQueue::Asked ModelRequestQueue::stop(Error error)
{
    m_stuck = std::move(error);
    Q_EMIT stuck(m_stuck);
    return Asked::Stuck;
}

} // namespace tilewright
