// SPDX-License-Identifier: GPL-3.0-or-later
// The person's hand on single candidates: judges each lever, and records what it does. Owner: Session, on the engine's
// thread.
#pragma once

#include "core/engine/lever.h"
#include "core/engine/pipeline.h"
#include "core/engine/proposal_desk.h"

namespace tilewright {

class Hand
{
public:
    Hand(Ledger& ledger, ProposalDesk& desk, Pipeline& pipeline)
        : m_ledger(ledger)
        , m_desk(desk)
        , m_pipeline(pipeline)
    {
    }

    /// Errors: candidate/unknown, island/unknown, mark/…, wish/…, place/…, inject/…, rerun/…, and the refusal's rule of
    /// an injected text that does not apply.
    Result<void> pull(const Lever& lever);

private:
    Result<void> pulled(const levers::Mark& lever);
    Result<void> pulled(const levers::UndoMark& lever);
    Result<void> pulled(const levers::Wish& lever);
    Result<void> pulled(const levers::DropWishes& lever);
    Result<void> pulled(const levers::Place& lever);
    Result<void> pulled(const levers::UndoPlace& lever);
    Result<void> pulled(const levers::Inject& lever);
    Result<void> pulled(const levers::Withdraw& lever);
    Result<void> pulled(const levers::Rerun& lever);
    Result<void> pulled(const levers::DropReruns& lever);
    const RunState& state() const { return m_ledger.state(); }
    /// Errors: candidate/unknown.
    Result<const Candidate*> known(CandidateId id) const;
    Result<const Island*> known(IslandId id) const;

    Ledger& m_ledger;
    ProposalDesk& m_desk;
    Pipeline& m_pipeline;
};

} // namespace tilewright
