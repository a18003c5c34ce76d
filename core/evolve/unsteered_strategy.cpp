// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/unsteered_strategy.h"

#include "core/evolve/population.h"

namespace tilewright {

std::optional<events::Admitted> UnsteeredStrategy::admit(
    const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell) const
{
    return placeByFitness(state, island, candidate, cell);
}

} // namespace tilewright
