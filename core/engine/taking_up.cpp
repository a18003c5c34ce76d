// SPDX-License-Identifier: GPL-3.0-or-later
// The inquiries that a run goes on with: what is open is put again after a pause or a crash, or ended where nobody
// answers it or wants the answer any more.
#include "core/engine/correspondence.h"

#include "core/model/island_lever.h"

#include <utility>

namespace tilewright {
namespace {

/// The first reply, the repair turn, the rewrite.
constexpr int mostAttempts = 3;
constexpr const char* wordsOfLoss = "the program ended while it was under way: what it used is unknown";

} // namespace

/// On an island that was taken back nothing is mended, but for what a person wished since.
bool Correspondence::earnsATurn(const Proposal& proposal) const
{
    return proposal.state == ProposalState::Refused && proposal.inquiry && proposal.rule.starts_with("patch/")
        && proposal.attempt < mostAttempts && (proposal.wish || !isUnmade(m_ledger.state(), proposal.island));
}

void Correspondence::endInterrupted(const Inquiry& inquiry)
{
    if (!inquiry.bodies.empty())
        if (auto read = m_correspondent->readBody(inquiry, m_ledger.text(inquiry.bodies.back().bytes)))
            return record(inquiry.id, std::move(*read));
    Response lost;
    lost.answer.state = InquiryState::Failed;
    lost.answer.model = inquiry.model;
    lost.answer.tries = inquiry.tries;
    lost.answer.untold = inquiry.tries;
    lost.answer.rule = "llm/lost";
    lost.answer.detail = wordsOfLoss;
    record(inquiry.id, std::move(lost));
}

void Correspondence::takeUp()
{
    m_stuck = {};
    m_turnedAway = false;
    m_due.clear();
    m_again.clear();
    m_correspondent->resume("");
    const RunState& state = m_ledger.state();
    std::vector<Inquiry> open;
    for (const Inquiry& inquiry : state.inquiries)
        if (inquiry.state == InquiryState::Open && !m_out.contains(inquiry.id))
            open.push_back(inquiry);
    for (const Inquiry& inquiry : open) {
        if (!m_correspondent->keepsLetters())
            endInterrupted(inquiry);
        else if (inquiry.unwanted)
            endUnwanted(inquiry);
        else if (m_stuck.code.empty())
            send(inquiry);
    }
    for (const Proposal& proposal : state.proposals)
        if (earnsATurn(proposal) && proposal.proposer == m_correspondent->name())
            m_due.insert(proposal.id);
    std::set<InquiryId> read; // whose proposals are in the record
    for (const Proposal& proposal : state.proposals)
        read.insert(proposal.inquiry);
    for (const InsightNote& note : state.insights)
        read.insert(note.inquiry);
    for (const Judgement& judgement : state.judgements)
        read.insert(judgement.inquiry);
    std::vector<InquiryId> unread;
    for (const Inquiry& inquiry : state.inquiries) {
        m_due.erase(inquiry.repairOf);
        m_again.erase(inquiry.repeats);
        if (isWorthRepeating(inquiry) && inquiry.proposer == m_correspondent->name())
            m_again.insert(inquiry.id);
        const bool isWhole = inquiry.state == InquiryState::Complete && !inquiry.answer.reply.isNull();
        if (isWhole && !inquiry.unwanted && !read.contains(inquiry.id))
            unread.push_back(inquiry.id);
    }
    for (const InquiryId id : unread)
        Q_EMIT answered(id);
}

void Correspondence::abandon()
{
    const std::set<InquiryId> out = std::exchange(m_out, {});
    for (auto& [id, response] : m_correspondent->abandon())
        if (out.contains(id))
            record(id, std::move(response));
    m_turnedAway = false;
}

void Correspondence::endUnwanted(const Inquiry& inquiry)
{
    Response none;
    none.answer.state = InquiryState::Failed;
    none.answer.model = inquiry.model;
    none.answer.tries = inquiry.tries;
    none.answer.rule = ruleOfUnmade;
    none.answer.detail = "the island that it was asked for was taken back";
    record(inquiry.id, std::move(none));
}

void Correspondence::dropUnwanted()
{
    const RunState& state = m_ledger.state();
    std::erase_if(m_due, [this, &state](ProposalId id) { return !earnsATurn(*state.proposal(id)); });
    std::erase_if(m_again, [this, &state](InquiryId id) { return !isWorthRepeating(*state.inquiry(id)); });
    const std::set<InquiryId> out = m_out;
    for (const InquiryId id : out)
        if (state.inquiry(id)->unwanted && m_correspondent->takesBack(id)) {
            m_out.erase(id);
            endUnwanted(Inquiry(*state.inquiry(id)));
        }
}

} // namespace tilewright
