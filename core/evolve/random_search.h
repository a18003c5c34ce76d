// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy `random`: every proposal edits the seed. The yardstick that tests/bench/search holds `evolve` against;
// places are judged alike. Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

class RandomSearch final : public Strategy
{
public:
    std::string name() const override { return "random"; }
    bool canSteer() const override { return false; }
    std::optional<ProposalRequest> request(
        const RunState& state, const Island& island, std::int64_t ordinal) const override;
    std::string why(const RunState& state, const Island& island, const ProposalRequest& request) const override;
    std::optional<events::Admitted> admit(const RunState& state, const Island& island, const Candidate& candidate,
        const std::string& cell) const override;
    std::optional<events::Migrated> migrate(const RunState&, const Island&) const override { return std::nullopt; }
    double screeningFloor(const RunState&, const Island&) const override { return 0; }
};

} // namespace tilewright
