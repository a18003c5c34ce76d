// SPDX-License-Identifier: GPL-3.0-or-later
// What strategies have in common that no user's order changes: places by fitness, no migration, no early stop. Pure.
#pragma once

#include "core/evolve/strategy.h"

namespace tilewright {

class UnsteeredStrategy : public Strategy
{
public:
    bool canSteer() const final { return false; }
    std::optional<events::Admitted> admit(
        const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell) const final;
    std::optional<events::Migrated> migrate(const RunState&, const Island&) const final { return std::nullopt; }
    double screeningFloor(const RunState&, const Island&) const final { return 0; }
};

} // namespace tilewright
