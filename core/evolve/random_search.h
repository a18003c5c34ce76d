// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `random`: one island, every proposal edits the seed. The yardstick that tests/bench/search holds
// `evolve` against; places and incumbents are judged alike. Pure.
#pragma once

#include "core/evolve/evolve.h"

namespace tilewright {

class RandomSearch final : public Strategy
{
public:
    std::string name() const override { return "random"; }
    bool hasLevers() const override { return false; }
    std::vector<events::IslandCreated> islands(const RunSettings& settings) const override;
    using Strategy::next;
    std::optional<ProposalRequest> next(
        const RunState& state, const PendingRequests& pending, const RestingIslands& resting) const override;
    std::optional<events::Admitted> admit(
        const RunState& state, IslandId island, CandidateId candidate, const std::string& cell) const override;
    std::optional<events::Migrated> migrate(const RunState&, IslandId) const override { return std::nullopt; }
    double screeningFloor(const RunState&, IslandId) const override { return 0; }
    bool becomesIncumbent(const RunState& state, CandidateId candidate) const override;

private:
    Evolve m_judge;
};

} // namespace tilewright
