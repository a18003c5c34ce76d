// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates wait for a user before they are measured, and what the user's word does. Owner: Session, on the
// engine's thread.
#pragma once

#include "core/engine/ledger.h"
#include "core/protocol/messages.h"

#include <functional>

namespace tilewright {

class ReviewGate
{
public:
    explicit ReviewGate(Ledger& ledger)
        : m_ledger(ledger)
    {
    }

    /// A candidate was built and has passed its first check. False: it waits from here on, and the question is
    /// recorded.
    bool lets(CandidateId candidate, const BuildReply& build, const std::vector<std::string>& passed);
    /// Takes note of the parts of the hardware that a candidate is the first to use, without a question.
    void noteFeatures(CandidateId candidate);

    /// Approved, rejected or deferred by a user, all by one command. `decided`: those that were, also where others were
    /// refused. Errors: review/unknown (no such candidate), review/not-waiting, review/reason; of the first that was
    /// refused.
    Result<void> decide(const std::vector<CandidateId>& candidates, Decision decision, const std::string& reason,
        std::vector<CandidateId>& decided);
    /// `edited` was made in its place. Errors as decide().
    Result<void> replace(CandidateId candidate, CandidateId edited, const std::string& reason);
    /// Takes the newest word on it back. Errors: review/unknown, review/not-decided, review/too-late once that is being
    /// measured which was approved.
    Result<void> undo(CandidateId candidate);
    /// By one command; `undo`: one that undoes another, as events::ReviewPolicyChanged::undo. Errors: island/unknown.
    Result<void> setPolicies(const std::vector<events::ReviewPolicyChanged>& changes, WhatWaits waiting, bool undo);
    /// So many edits of an island may wait; 0: no limit. Errors: review/limit.
    Result<void> setLimit(int perIsland, bool undo);

    /// Records something else that may let islands go on which waited for the user.
    void whileItMayLetGo(const std::function<void()>& recording);

    /// Whether a word on it is awaited. Errors as decide().
    Result<void> waits(CandidateId candidate) const;

private:
    /// The review that waits for a word. Errors as decide().
    Result<const Review*> waiting(CandidateId candidate) const;
    std::vector<std::string> risksOf(const Candidate& candidate, const std::vector<std::string>& warnings);
    std::set<std::string> newFeatures(const Candidate& candidate);

    Ledger& m_ledger;
};

} // namespace tilewright
