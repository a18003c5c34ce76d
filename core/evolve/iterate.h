// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `iterate`: a few lines of descent, each improved step by step from its own best program, what every step
// came to told in the next prompt; a line that stands still goes on from the best of all. As agents for KernelBench
// refine one program (Ouyang et al. 2025, arXiv 2502.10517; Kevin-32B, arXiv 2507.11948). Pure.
#pragma once

#include "core/evolve/unsteered_strategy.h"

namespace tilewright {

class Iterate final : public UnsteeredStrategy
{
public:
    static constexpr int lines = 2; ///< that take their turns
    static constexpr int patience = 6; ///< results without a better program after which a line begins anew

    std::string name() const override { return "iterate"; }
    std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const override;
    std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const override;
};

} // namespace tilewright
