// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `evolve`: islands with niches and migration, in a ring or as a person says, as AlphaEvolve (Novikov et
// al. 2025) and its forerunner FunSearch (Romera-Paredes et al. 2023) search. Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

class Evolve final : public Strategy
{
public:
    std::string name() const override { return "evolve"; }
    std::vector<events::IslandCreated> islands(const RunSettings& settings) const override;
    using Strategy::next;
    std::optional<ProposalRequest> next(
        const RunState& state, const PendingRequests& pending, const RestingIslands& resting) const override;
    std::optional<events::Admitted> admit(
        const RunState& state, IslandId island, CandidateId candidate, const std::string& cell) const override;
    std::optional<events::Migrated> migrate(const RunState& state, IslandId island) const override;
    /// Half of the island's median, once it has a few members.
    double screeningFloor(const RunState& state, IslandId island) const override;
    bool becomesIncumbent(const RunState& state, CandidateId candidate) const override;
};

} // namespace tilewright
