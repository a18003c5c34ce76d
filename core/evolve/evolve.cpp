// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/evolve.h"

#include "core/base/text.h"
#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"

#include <algorithm>

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

std::string Evolve::why(const RunState& state, const Island& island, const ProposalRequest& request) const
{
    if (request.parents.empty())
        return {};
    const CandidateId parent = request.parents.front();
    const std::vector<const Candidate*> ranked = byFitness(state, island);
    const auto at = std::ranges::find(ranked, parent, &Candidate::id);
    const std::string members = counted(std::ssize(ranked), "program", "programs");
    std::string text = "the best program of the run";
    if (parent != state.incumbent && at == ranked.end())
        text = parent == CandidateId{1}
            ? "the seed: the island has no other program yet"
            : "close to the best program of the run, which is on another island: no program of this island is close";
    else if (parent != state.incumbent && request.focus == Focus::Explore)
        text = "number " + std::to_string(at - ranked.begin() + 1) + " of the " + members
            + " of the island; a new direction may begin at any of them";
    else if (parent != state.incumbent)
        text = "number " + std::to_string(at - ranked.begin() + 1) + " of the " + members
            + " of the island, drawn by rank";
    if (request.focus == Focus::Crossover && request.parents.size() > 1)
        text += "; crossed with " + candidateName(request.parents[1]) + ", which is of another line";
    if (request.focus == Focus::Tune)
        text += "; the best of its structure, to vary its constants";
    return text;
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
