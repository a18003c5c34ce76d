// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/correspondence.h"

#include "core/engine/reply_part.h"

namespace tilewright {
namespace {

/// The first reply, the repair turn, the rewrite.
constexpr int mostAttempts = 3;

bool earnsATurn(const Proposal& proposal)
{
    return proposal.state == ProposalState::Refused && proposal.inquiry && proposal.rule.starts_with("patch/")
        && proposal.attempt < mostAttempts;
}

} // namespace

Correspondence::Correspondence(Ledger& ledger, std::unique_ptr<Correspondent> correspondent, PromptSource prompts,
    std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_correspondent(std::move(correspondent))
    , m_prompts(std::move(prompts))
    , m_runTime(std::move(runTime))
{
}

std::optional<ProposalRequest> Correspondence::nextTurn() const
{
    if (m_due.empty())
        return std::nullopt;
    const Proposal& failed = *m_ledger.state().proposal(*m_due.begin());
    return ProposalRequest{
        failed.island, failed.ordinal, failed.attempt == 1 ? Focus::Repair : Focus::Rewrite, failed.parents};
}

std::optional<FailedReply> Correspondence::failedReplyOf(const Proposal& proposal)
{
    const auto applied = applyProposal(m_ledger, proposal);
    if (applied)
        return std::nullopt;
    return FailedReply{replyOf(m_ledger, proposal), proposal.rule, applied.error().repairPrompt, proposal.attempt};
}

void Correspondence::ask(ProposalRequest request)
{
    Inquiry inquiry;
    std::optional<FailedReply> failed;
    const bool isTurn = request.focus == Focus::Repair || request.focus == Focus::Rewrite;
    if (isTurn) {
        const Proposal& proposal = *m_ledger.state().proposal(*m_due.begin());
        m_due.erase(m_due.begin());
        failed = failedReplyOf(proposal);
        inquiry.repairOf = proposal.id;
        inquiry.attempt = proposal.attempt + 1;
    } else if (request.focus == Focus::Tune) {
        request.focus = Focus::Exploit; // constants are searched without asking anybody
    }
    const ProposerView view{
        m_ledger.state(), m_ledger.pack(), [this](const Hash& hash) { return m_ledger.text(hash); }};
    auto prompt = m_prompts(request, failed, view);
    if (!prompt)
        return stop(prompt.error());
    auto place = m_correspondent->reserve();
    if (!place)
        return stop(place.error());
    inquiry.id = m_ledger.nextInquiry();
    inquiry.proposer = m_correspondent->name();
    inquiry.place = std::move(*place);
    inquiry.island = request.island;
    inquiry.ordinal = request.ordinal;
    inquiry.focus = request.focus;
    inquiry.parents = request.parents;
    inquiry.promptName = prompt->name;
    inquiry.promptVersion = prompt->version;
    inquiry.system = m_ledger.keep(prompt->system);
    inquiry.prompt = m_ledger.keep(prompt->user);
    inquiry.askedNs = m_runTime();
    m_ledger.record(events::Asked{inquiry});
    if (auto written = m_ledger.flush(); !written) // before it leaves: an answer to what nobody asked would be lost
        return stop(written.error());
    send(inquiry);
}

void Correspondence::send(const Inquiry& inquiry)
{
    const Letter letter{inquiry.id, inquiry.place, inquiry.island, inquiry.promptName, m_ledger.text(inquiry.system),
        m_ledger.text(inquiry.prompt)};
    auto sent
        = m_correspondent->send(letter, [this](InquiryId id, Response response) { receive(id, std::move(response)); });
    if (!sent)
        return stop(sent.error());
    m_out.insert(inquiry.id);
}

void Correspondence::receive(InquiryId id, Response response)
{
    if (m_out.erase(id) == 0)
        return;
    if (!response.text.empty())
        response.answer.reply = m_ledger.keep(response.text);
    m_ledger.record(events::Answered{id, std::move(response.answer), m_runTime()});
    Q_EMIT answered(id);
}

void Correspondence::noteRefusal(ProposalId id)
{
    if (earnsATurn(*m_ledger.state().proposal(id)))
        m_due.insert(id);
}

void Correspondence::takeUp()
{
    m_stuck = {};
    m_due.clear();
    const RunState& state = m_ledger.state();
    for (const Proposal& proposal : state.proposals)
        if (earnsATurn(proposal))
            m_due.insert(proposal.id);
    std::vector<Inquiry> open;
    for (const Inquiry& inquiry : state.inquiries) {
        m_due.erase(inquiry.repairOf);
        if (inquiry.state == InquiryState::Open && !m_out.contains(inquiry.id))
            open.push_back(inquiry);
    }
    for (const Inquiry& inquiry : open)
        if (m_stuck.code.empty())
            send(inquiry);
}

void Correspondence::forget()
{
    m_out.clear();
    m_correspondent->forget();
}

void Correspondence::stop(Error error)
{
    m_stuck = std::move(error);
    Q_EMIT stuck(m_stuck);
}

} // namespace tilewright
