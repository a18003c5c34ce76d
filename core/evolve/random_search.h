// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `random`: every proposal edits the seed. The yardstick that tests/bench/search holds `evolve` against;
// places are judged alike. Pure.
#pragma once

#include "core/evolve/unsteered_strategy.h"

namespace tilewright {

class RandomSearch final : public UnsteeredStrategy
{
public:
    std::string name() const override { return "random"; }
    std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const override;
    std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const override;
};

} // namespace tilewright
