// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/correspondence.h"

#include "core/engine/model_answer.h"
#include "core/model/conversation.h"
#include "core/model/island_lever.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Times that one question is put again after it was interrupted or failed.
constexpr int mostRepeats = 2;

void address(Inquiry& inquiry, const Addressee& addressee)
{
    inquiry.model = addressee.model;
    inquiry.place = addressee.place;
    inquiry.mostTokens = addressee.mostTokens;
    inquiry.mostMicroUsd = addressee.mostMicroUsd;
}

constexpr const char* noPatch = "patch/no-diff";

} // namespace

Correspondence::Correspondence(Ledger& ledger, std::unique_ptr<Correspondent> correspondent, PromptSources prompts,
    std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_correspondent(std::move(correspondent))
    , m_prompts(std::move(prompts))
    , m_runTime(std::move(runTime))
{
    Mailbox mailbox;
    mailbox.answered = [this](InquiryId id, Response response) { receive(id, std::move(response)); };
    mailbox.arrived
        = [this](InquiryId id, InquiryBody body, const std::string& bytes) { store(id, std::move(body), bytes); };
    mailbox.triesAgain = [this](InquiryId id, int number) { noteTry(id, number); };
    mailbox.armChanged = [this](const std::string& model, const ArmState& arm) {
        m_ledger.record(events::ArmChanged{model, arm});
    };
    mailbox.noted = [this](const std::string& severity, const std::string& text) {
        m_notices.push_back(text);
        m_ledger.record(events::Noted{severity, text, ""});
    };
    mailbox.state = [this]() -> const RunState& { return m_ledger.state(); };
    mailbox.moved = [this] {
        m_turnedAway = false;
        Q_EMIT moved();
    };
    m_correspondent->open(std::move(mailbox));
}

void Correspondence::warn(const std::string& text)
{
    if (std::ranges::find(m_notices, text) != m_notices.end())
        return;
    m_notices.push_back(text);
    m_ledger.record(events::Noted{"warning", text, ""});
}

ProposerView Correspondence::view()
{
    return {m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
}

/// A further turn of what a person wished tells their idea as well.
ProposalRequest Correspondence::wishing(ProposalRequest request, WishId id) const
{
    const std::vector<Wish>& wishes = m_ledger.state().wishes;
    const bool known = id.value >= 1 && static_cast<std::size_t>(id.value) <= wishes.size();
    request.wish = id;
    request.idea = known ? wishes[static_cast<std::size_t>(id.value - 1)].idea : "";
    return request;
}

std::optional<Correspondence::Task> Correspondence::nextDue(const RestingIslands& resting) const
{
    for (const InquiryId id : m_again) {
        const Inquiry& earlier = *m_ledger.state().inquiry(id);
        if (!resting.contains(earlier.island))
            return Task{wishing({earlier.island, earlier.ordinal, earlier.focus, earlier.parents}, earlier.wish),
                earlier.repairOf, earlier.id};
    }
    for (const ProposalId id : m_due) {
        const Proposal& failed = *m_ledger.state().proposal(id);
        if (resting.contains(failed.island))
            continue;
        const Focus turn = failed.attempt == 1 ? Focus::Repair : Focus::Rewrite;
        return Task{wishing({failed.island, failed.ordinal, turn, failed.parents}, failed.wish), failed.id, {}};
    }
    return std::nullopt;
}

/// Of a refused reply and those that it was to mend: the newest with a patch, which tells the idea. Itself if none has.
const Proposal& Correspondence::newestWithPatch(ProposalId refused) const
{
    const RunState& state = m_ledger.state();
    const Proposal* found = state.proposal(refused);
    while (found->rule == noPatch) {
        const Inquiry* inquiry = state.inquiry(found->inquiry);
        const Proposal* before = inquiry && inquiry->repairOf ? state.proposal(inquiry->repairOf) : nullptr;
        if (!before)
            return *state.proposal(refused);
        found = before;
    }
    return *found;
}

Result<Inquiry> Correspondence::rendered(const Task& task, Inquiry inquiry, bool inConversation)
{
    std::optional<FailedReply> failed;
    inquiry.continues = {};
    if (task.repairs) {
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
            inquiry.continues = proposal.inquiry;
    }
    const auto prompt = m_prompts.proposals(task.request, failed, view(), roomFor(task, inquiry));
    if (!prompt && prompt.error().code == "prompt/budget" && inquiry.continues) // without what was said before
        return rendered(task, std::move(inquiry), /*inConversation=*/false);
    if (!prompt)
        return std::unexpected(prompt.error());
    take(inquiry, *prompt);
    return inquiry;
}

/// What the turns before leave of the room.
PromptRoom Correspondence::roomFor(const Task& task, const Inquiry& inquiry)
{
    PromptRoom room = m_correspondent->promptRoom(task.request.island);
    if (room.tokens == 0)
        return room;
    std::size_t before = 0;
    for (const auto& [prompt, reply] : turnsBefore(inquiry))
        before += prompt.size() + reply.size();
    const double rate = room.rate();
    const auto used = static_cast<std::int64_t>(std::ceil(static_cast<double>(before) * rate));
    room.tokens = std::max<std::int64_t>(room.tokens - used, 1);
    return room;
}

/// A turn that is too long for whoever can be asked is given up, and so is what a person wished to send; any other
/// first question that is, nobody can answer at all.
Correspondence::Asked Correspondence::cannotWrite(const Task& task, const Error& error)
{
    if (task.request.prompt && !task.repairs && !task.repeats) {
        m_ledger.record(events::WishWithdrawn{task.request.wish});
        m_ledger.record(events::Noted{"warning", "a prompt was not sent: " + error.text, error.hint});
        return Asked::Yes;
    }
    if (!task.repairs || error.code != "prompt/budget")
        return stop(error);
    m_due.erase(task.repairs);
    m_again.erase(task.repeats);
    m_ledger.record(events::Noted{"warning", "a refused patch gets no further turn: " + error.text, error.hint});
    return Asked::Yes; // it is settled, and the next question may be asked at once
}

void Correspondence::take(Inquiry& inquiry, const PromptText& prompt)
{
    inquiry.promptName = prompt.name;
    inquiry.promptVersion = prompt.version;
    inquiry.system = m_ledger.keepWords(prompt.system);
    inquiry.prompt = m_ledger.keepWords(prompt.user);
    inquiry.leftOut = prompt.leftOut;
}

/// All that is known before it is decided who answers.
Result<Inquiry> Correspondence::drafted(const Task& task, const std::string& preferred)
{
    Inquiry inquiry;
    inquiry.island = task.request.island;
    inquiry.ordinal = task.request.ordinal;
    inquiry.parents = task.request.parents;
    inquiry.wish = task.request.wish;
    if (task.repeats) {
        const Inquiry& earlier = *m_ledger.state().inquiry(task.repeats);
        inquiry = earlier;
        inquiry.repeats = earlier.id;
        inquiry.state = InquiryState::Open;
        inquiry.answer = {};
        inquiry.tries = 1;
        inquiry.bodies.clear();
        inquiry.answeredNs = 0;
        return inquiry;
    }
    inquiry.focus = task.request.focus;
    if (task.repairs) {
        inquiry.repairOf = task.repairs;
        inquiry.attempt = m_ledger.state().proposal(task.repairs)->attempt + 1;
    }
    return rendered(task, std::move(inquiry), !preferred.empty());
}

std::vector<std::pair<std::string, std::string>> Correspondence::turnsBefore(const Inquiry& inquiry)
{
    std::vector<std::pair<std::string, std::string>> turns;
    for (const InquiryId id : conversationOf(m_ledger.state(), inquiry.continues)) {
        const Inquiry& earlier = *m_ledger.state().inquiry(id);
        turns.emplace_back(m_ledger.text(earlier.prompt), m_ledger.text(earlier.answer.reply));
    }
    return turns;
}

Question Correspondence::questionOf(const Inquiry& inquiry, const std::string& preferred)
{
    return {inquiry.island, inquiry.ordinal, m_ledger.text(inquiry.system), m_ledger.text(inquiry.prompt),
        turnsBefore(inquiry), preferred, inquiry.asksForSummary()};
}

Correspondence::Asked Correspondence::ask(const Task& asked)
{
    Task task = asked;
    if (task.request.focus == Focus::Tune)
        task.request.focus = Focus::Exploit; // constants are searched without asking anybody
    const RunState& state = m_ledger.state();
    std::string preferred;
    if (task.repeats)
        preferred = state.inquiry(task.repeats)->model;
    else if (task.repairs)
        if (const Inquiry* wrote = state.inquiry(state.proposal(task.repairs)->inquiry))
            preferred = wrote->model;
    auto inquiry = drafted(task, preferred);
    if (!inquiry)
        return cannotWrite(asked, inquiry.error());
    Question question = questionOf(*inquiry, preferred);
    auto addressee = m_correspondent->reserve(question);
    if (!addressee)
        return turnedAway(addressee.error());
    if (inquiry->continues && addressee->model != preferred) {
        // Another one has to mend it: it is told the whole story.
        task.repeats = {};
        inquiry = rendered(task, std::move(*inquiry), /*inConversation=*/false);
        if (!inquiry)
            return cannotWrite(asked, inquiry.error());
    }
    address(*inquiry, *addressee);
    m_again.erase(asked.repeats);
    if (task.repairs)
        m_due.erase(task.repairs);
    return put(std::move(*inquiry));
}

Correspondence::Asked Correspondence::askForSummary()
{
    const bool isOpen
        = std::ranges::any_of(m_out, [this](InquiryId id) { return m_ledger.state().inquiry(id)->asksForSummary(); });
    if (isOpen || !canSummarise() || !hasRoom())
        return Asked::NotNow;
    const auto prompt = m_prompts.summary(view(), m_correspondent->promptRoom({}));
    if (!prompt && prompt.error().code == "prompt/budget") {
        warn("no summary is asked for: " + prompt.error().text);
        return Asked::TooLong;
    }
    if (!prompt)
        return stop(prompt.error());
    Inquiry inquiry;
    take(inquiry, *prompt);
    auto addressee = m_correspondent->reserve(questionOf(inquiry, ""));
    if (!addressee)
        return turnedAway(addressee.error());
    address(inquiry, *addressee);
    return put(std::move(inquiry));
}

Result<void> Correspondence::askForJudgements()
{
    Result<void> done;
    while (const Wish* next = nextJudgement(m_ledger.state())) {
        if (out() >= m_correspondent->capacity())
            return done; // with the next answer
        const WishId id = next->id;
        const CandidateId candidate = next->parent;
        const auto asked = askForJudgement(Wish(*next));
        if (asked && *asked != Asked::Yes)
            return done;
        if (asked)
            continue;
        m_ledger.record(events::WishWithdrawn{id});
        m_ledger.record(events::Noted{"warning",
            "no judge is asked about " + candidateName(candidate) + ": " + asked.error().text, asked.error().hint});
        done = std::unexpected(asked.error());
    }
    return done;
}

Result<Correspondence::Asked> Correspondence::askForJudgement(const Wish& wish)
{
    const Candidate& judged = *m_ledger.state().candidate(wish.parent);
    ProposalRequest request;
    request.island = wish.prompt.island ? wish.prompt.island : judged.island;
    request.focus = Focus::Exploit;
    request.parents = {judged.id};
    request.prompt = wish.prompt;
    const auto prompt = m_prompts.proposals(request, std::nullopt, view(), m_correspondent->promptRoom(request.island));
    if (!prompt)
        return std::unexpected(prompt.error());
    Inquiry inquiry;
    take(inquiry, *prompt);
    inquiry.parents = request.parents;
    inquiry.wish = wish.id;
    Question question = questionOf(inquiry, "");
    question.island = request.island;
    question.wantsCheapest = true;
    const auto addressee = m_correspondent->reserve(question);
    if (!addressee && addressee.error().code.starts_with("wait/"))
        return Asked::NotNow;
    if (!addressee)
        return std::unexpected(addressee.error());
    address(inquiry, *addressee);
    return put(std::move(inquiry));
}

/// "wait/…" is no trouble: it is tried again when something moved.
Correspondence::Asked Correspondence::turnedAway(const Error& error)
{
    if (!error.code.starts_with("wait/"))
        return stop(error);
    m_turnedAway = true;
    return Asked::NotNow;
}

Correspondence::Asked Correspondence::put(Inquiry inquiry)
{
    inquiry.id = m_ledger.nextInquiry();
    inquiry.proposer = m_correspondent->name();
    inquiry.askedNs = m_runTime();
    m_ledger.record(events::Asked{inquiry});
    if (auto written = m_ledger.flush(); !written) // before it leaves: an answer to what nobody asked would be lost
        return stop(written.error());
    send(inquiry);
    return m_stuck.code.empty() ? Asked::Yes : Asked::Stuck;
}

void Correspondence::send(const Inquiry& inquiry)
{
    const Letter letter{inquiry.id, inquiry.place, inquiry.model, inquiry.island, inquiry.promptName,
        m_ledger.text(inquiry.system), turnsBefore(inquiry), m_ledger.text(inquiry.prompt)};
    if (auto sent = m_correspondent->send(letter); !sent) {
        stop(sent.error());
        return;
    }
    m_out.insert(inquiry.id);
}

void Correspondence::store(InquiryId id, InquiryBody body, const std::string& bytes)
{
    if (!m_out.contains(id))
        return;
    body.bytes = m_ledger.keepWords(bytes);
    m_ledger.record(events::BodyArrived{id, std::move(body)});
    if (auto written = m_ledger.flush(); !written) // it still waits, and is tried again
        stop(written.error());
}

void Correspondence::noteTry(InquiryId id, int number)
{
    if (!m_out.contains(id))
        return;
    m_ledger.record(events::TriedAgain{id, number});
    if (auto written = m_ledger.flush(); !written)
        stop(written.error());
}

void Correspondence::record(InquiryId id, Response response)
{
    if (!response.text.empty())
        response.answer.reply = m_ledger.keepWords(response.text);
    m_ledger.record(events::Answered{id, std::move(response.answer), m_runTime()});
}

void Correspondence::receive(InquiryId id, Response response)
{
    if (m_out.erase(id) == 0)
        return;
    m_turnedAway = false;
    record(id, std::move(response));
    if (auto written = m_ledger.flush(); !written)
        stop(written.error());
    if (isWorthRepeating(*m_ledger.state().inquiry(id)))
        m_again.insert(id);
    Q_EMIT answered(id);
}

/// What ended without an answer for no fault of its own; a first question only if we broke it off, as a strategy asks
/// for another anyway.
bool Correspondence::isWorthRepeating(const Inquiry& inquiry) const
{
    const bool failed = inquiry.state == InquiryState::Failed || inquiry.state == InquiryState::Incomplete;
    const bool isOfGone = inquiry.unwanted || (!inquiry.wish && isUnmade(m_ledger.state(), inquiry.island));
    if (!failed || isOfGone || inquiry.asksForSummary() || inquiry.asksForJudgement()
        || inquiry.answer.rule == "llm/refused" || (inquiry.attempt == 1 && !inquiry.answer.wasInterrupted()))
        return false;
    int repeats = 0;
    for (const Inquiry* each = &inquiry; each && each->repeats; each = m_ledger.state().inquiry(each->repeats))
        ++repeats;
    return repeats < mostRepeats;
}

void Correspondence::noteRefusal(ProposalId id)
{
    if (earnsATurn(*m_ledger.state().proposal(id)))
        m_due.insert(id);
}

void Correspondence::learn(const Proposal& proposal, double gain)
{
    const Inquiry* inquiry = m_ledger.state().inquiry(proposal.inquiry);
    if (!inquiry)
        return;
    const Inquiry asked = *inquiry;
    m_correspondent->learn(asked, gain, proposalsOfReply(m_ledger.state(), proposal));
}

void Correspondence::resume(const std::string& model)
{
    m_correspondent->resume(model);
    m_turnedAway = false;
    Q_EMIT moved();
}

Correspondence::Asked Correspondence::stop(Error error)
{
    m_stuck = std::move(error);
    Q_EMIT stuck(m_stuck);
    return Asked::Stuck;
}

} // namespace tilewright
