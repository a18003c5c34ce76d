// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `best-of-n`: every request edits the seed and is told nothing of other attempts; the best of them wins.
// The yardstick for any search with models (Brown et al. 2024, arXiv 2407.21787). Pure.
#pragma once

#include "core/evolve/unsteered_strategy.h"

namespace tilewright {

class BestOfN final : public UnsteeredStrategy
{
public:
    std::string name() const override { return "best-of-n"; }
    std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const override;
    std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const override;
};

} // namespace tilewright
