// SPDX-License-Identifier: GPL-3.0-or-later
// Random search over the same moves and tunables as the mutator: every proposal is a fresh random subset of the moves,
// applied to the parent (the seed) in random order, with constants drawn at random. The yardstick of
// tests/bench/search.
#pragma once

#include "core/proposer/proposer.h"

namespace tilewright {

class RandomProposer final : public Proposer
{
public:
    std::string name() const override { return "random"; }
    void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) override;
};

} // namespace tilewright
