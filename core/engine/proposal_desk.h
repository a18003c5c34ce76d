// SPDX-License-Identifier: GPL-3.0-or-later
// From a strategy's request to a candidate: asks the proposer, stores the reply before it is parsed, applies its patch,
// turns away duplicates. Owner: Engine, on its thread.
#pragma once

#include "core/engine/ledger.h"
#include "core/proposer/proposer.h"

#include <map>

namespace tilewright {

class ProposalDesk : public QObject
{
    Q_OBJECT

public:
    ProposalDesk(Ledger& ledger, const Strategy& strategy);

    /// Makes one request. False if the strategy has none, or if so many in a row led to nothing new that asking again
    /// makes sense only after further results.
    bool ask();
    /// Requests that were not answered yet.
    int pending() const;
    /// Applies the stored replies of proposals that were open when the program ended.
    void resumeOpen();
    /// New results came: what led to nothing before may now.
    void refresh() { m_fruitless = 0; }
    /// Answers that are still on their way are ignored from here on.
    void dropPending();

    /// The task's seed as first proposal and candidate.
    void plantSeed();

Q_SIGNALS:
    void candidateMade(tilewright::CandidateId candidate);
    void idle(); ///< an answer came that made no candidate

private:
    void answered(const ProposalRequest& request, const std::string& proposer, Result<Offer> offer);
    void refused(ProposalId id, ProposalState state, const std::string& rule, const std::string& detail);
    void apply(ProposalId id);
    Proposer& proposerFor(const ProposalRequest& request);
    Proposer& proposerCalled(const std::string& name);

    Ledger& m_ledger;
    const Strategy& m_strategy;
    std::map<std::string, std::unique_ptr<Proposer>> m_proposers;
    PendingRequests m_pending;
    int m_fruitless = 0;
    std::uint64_t m_epoch = 0;
};

} // namespace tilewright
