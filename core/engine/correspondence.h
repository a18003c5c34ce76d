// SPDX-License-Identifier: GPL-3.0-or-later
// The inquiries of a run: puts questions to the correspondent, records each before it leaves and each answer before it
// is read, puts open ones again after a pause or a crash, and knows which refused patches still earn a turn: one
// repair, then one rewrite, then the proposal is given up and kept. Owner: ProposalDesk, on the engine's thread.
#pragma once

#include "core/engine/ledger.h"
#include "core/proposer/correspondent.h"

#include <set>

namespace tilewright {

class Correspondence : public QObject
{
    Q_OBJECT

public:
    /// runTime: nanoseconds this run has been running so far.
    Correspondence(Ledger& ledger, std::unique_ptr<Correspondent> correspondent, PromptSource prompts,
        std::function<std::int64_t()> runTime);

    bool hasRoom() const { return m_stuck.code.empty() && out() < m_correspondent->capacity(); }
    /// Letters that were sent and not answered yet.
    int out() const { return static_cast<int>(m_out.size()); }

    /// The request of the turn that is due next; none if none is.
    std::optional<ProposalRequest> nextTurn() const;
    /// Puts a question: a strategy's request, or that of nextTurn().
    void ask(ProposalRequest request);
    /// A patch was refused: it earns a turn unless it had both.
    void noteRefusal(ProposalId proposal);
    /// Puts what is open again, and finds the turns that are due. After begin and resume.
    void takeUp();
    /// Answers that are on their way are not waited for any more; their questions stay open in the record.
    void forget();
    /// Why no question can be put; code empty if all is well.
    const Error& trouble() const { return m_stuck; }

Q_SIGNALS:
    void answered(tilewright::InquiryId inquiry);
    void stuck(tilewright::Error error);

private:
    std::optional<FailedReply> failedReplyOf(const Proposal& proposal);
    void send(const Inquiry& inquiry);
    void receive(InquiryId id, Response response);
    void stop(Error error);

    Ledger& m_ledger;
    std::unique_ptr<Correspondent> m_correspondent;
    PromptSource m_prompts;
    std::function<std::int64_t()> m_runTime;
    std::set<InquiryId> m_out;
    std::set<ProposalId> m_due;
    Error m_stuck;
};

} // namespace tilewright
