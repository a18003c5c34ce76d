// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in proposer without a model: applies textbook moves of the task's pack, takes some out again, changes
// tunables, crosses two parents. Which move is tried follows what moves gained so far (Thompson sampling, 1933); among
// several drafts an exploiting request takes the one the performance model expects most of. Answers at once.
#pragma once

#include "core/proposer/performance_model.h"
#include "core/proposer/proposer.h"
#include "core/proposer/variation.h"

namespace tilewright {

class Mutator final : public Proposer
{
public:
    std::string name() const override { return "mutator"; }
    void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) override;
};

/// The second parent's tunables taken over, and its moves that the first lacks applied in order. On later attempts
/// each part is taken with probability one half, so that repeated crossings differ.
Variation crossed(
    const Variation& first, const Candidate& second, const TaskPack& pack, int attempt, CounterRandom& random);

// What the built-in proposers share: from a request to the parent's text, and from a finished variation to an offer in
// the primary reply form. Pure.

/// The first parent as a variation without edits. Errors: proposer/parent.
Result<Variation> variationOf(CandidateId parent, const ProposerView& view);

/// Its program is not in the run yet.
bool isNew(const Variation& variation, const RunState& state);

/// The variation as a reply that edits the parent's text; claim says what it is expected to do.
Offer offerOf(
    const Variation& variation, const std::string& parentText, const std::string& sourceName, const std::string& claim);

} // namespace tilewright
