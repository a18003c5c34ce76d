// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever offers edits. Asynchronous in shape: a request goes in, an offer or a refusal comes back through a callback,
// at once (mutator, tuner) or later (a model, a user). Thread: the engine's. Pure but for the callback: an offer
// depends on the state, the request and the texts alone.
#pragma once

#include "core/base/random.h"
#include "core/evolve/strategy.h"

#include <functional>
#include <memory>

namespace tilewright {

/// What a proposer may look at. Valid during the call of propose() only; who answers later copies what it needs.
struct ProposerView {
    const RunState& state;
    const TaskPack& pack;
    std::function<std::string(const Hash&)> text; ///< a text of the session by its hash, "" if it is not there
};

/// What an offer was made for, where that is not what was asked for: recorded replies keep their own place.
struct OfferedAs {
    IslandId island;
    std::int64_t ordinal = 0;
    Focus focus = Focus::Explore;
    ProposalId repairOf;
    int attempt = 1;
    bool whole = false; ///< as Proposal::whole
};

/// An edit of the first parent, or several edits of it, each a proposal of its own.
struct Offer {
    std::string proposer;
    std::string reply; ///< in any form that the applier knows
    std::string finish; ///< why it ended, in the provider's word; "" if nobody said
    std::vector<CandidateId> parents;
    std::vector<std::string> moves; ///< moves it adds to the lineage, in order; "-NAME" takes one out
    std::optional<OfferedAs> as;
};

class Proposer
{
public:
    using Answer = std::function<void(Result<Offer>)>;

    virtual ~Proposer() = default;
    virtual std::string name() const = 0;
    /// Errors: proposer/exhausted when several draws found nothing new, proposer/parent when the parent's text is gone,
    /// replay/done when there is nothing left to offer at all.
    virtual void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) = 0;
    /// It says itself when it has nothing more (replay/done): however much of it leads to nothing, it is heard out.
    virtual bool endsByItself() const { return false; }
};

/// "mutator", "tuner", "random"; null for any other name.
std::unique_ptr<Proposer> proposerNamed(const std::string& name);
/// The names that proposerNamed knows.
std::vector<std::string> proposerNames();

/// Generator of one request: the same for the same run, island and ordinal.
CounterRandom randomFor(const RunState& state, const ProposalRequest& request);

} // namespace tilewright
