// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `evolve`: islands with niches and migration, in a ring or as the user says, as AlphaEvolve (Novikov et
// al. 2025) and its forerunner FunSearch (Romera-Paredes et al. 2023) search. Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

class Evolve final : public Strategy
{
public:
    std::string name() const override { return "evolve"; }
    bool canSteer() const override { return true; }
    std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const override;
    std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const override;
    std::optional<events::Admitted> admit(const RunState& state, const Island& island, const Candidate& candidate,
        const std::string& cell) const override;
    std::optional<events::Migrated> migrate(const RunState& state, const Island& island) const override;
    /// Half of the island's median, once it has a few members.
    double screeningFloor(const RunState& state, const Island& island) const override;
};

} // namespace tilewright
