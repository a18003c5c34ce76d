// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/evolve.h"

#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"

namespace tilewright {
namespace {

/// The island's own best whose program the neighbour does not have. (The seed founds every island and stays home.)
const Candidate* migrantFor(const RunState& state, const Island& from, const Island& to)
{
    for (const Candidate* candidate : byFitness(state, from))
        // Who still waits to be confirmed may yet fall, and its copies would not.
        if (candidate->isOver() && candidate->island == from.id && !livesThere(state, to, candidate->program))
            return candidate;
    return nullptr;
}

} // namespace

std::optional<ProposalRequest> Evolve::request(const RunState& state, const Island& island, std::int64_t ordinal) const
{
    ProposalRequest request = drawnRequest(state, island, ordinal);
    if (request.parents.empty())
        return std::nullopt;
    return fittingRequest(state, std::move(request));
}

std::optional<events::Admitted> Evolve::admit(
    const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell) const
{
    return placeByFitness(state, island, candidate, cell);
}

std::optional<events::Migrated> Evolve::migrate(const RunState& state, const Island& island) const
{
    if (island.admissions - island.lastMigration < state.settings.migration.interval)
        return std::nullopt;
    for (const IslandId to : migrationTargets(state, island))
        if (const Candidate* migrant = migrantFor(state, island, *state.island(to)))
            if (auto moved = copyTo(state, *migrant, *state.island(to)))
                return moved;
    return std::nullopt;
}

double Evolve::screeningFloor(const RunState& state, const Island& island) const
{
    constexpr std::size_t few = 4;
    const Candidate* incumbent = state.candidate(state.incumbent);
    if (!incumbent || !incumbent->isRanked())
        return 0;
    const std::vector<const Candidate*> ranked = byFitness(state, island);
    return ranked.size() < few ? 0 : 0.5 * fitnessOf(*ranked[ranked.size() / 2]) / fitnessOf(*incumbent);
}

} // namespace tilewright
