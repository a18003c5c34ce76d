// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/evolve.h"

#include "core/evolve/migration.h"
#include "core/evolve/population.h"
#include "core/evolve/selection.h"
#include "core/model/review_queue.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

struct Founding {
    const char* name;
    Focus focus;
};
constexpr std::array<Founding, 4> foundings{
    {{"Explore", Focus::Explore}, {"Exploit", Focus::Exploit}, {"Tune", Focus::Tune}, {"Crossover", Focus::Crossover}}};

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

std::vector<events::IslandCreated> Evolve::islands(const RunSettings& settings) const
{
    std::vector<events::IslandCreated> made;
    for (int i = 0; i < std::max(1, settings.islands); ++i) {
        const Founding& founding = foundings[static_cast<std::size_t>(i) % foundings.size()];
        const int round = i / static_cast<int>(foundings.size());
        const std::string suffix = round == 0 ? std::string() : " " + std::to_string(round + 1);
        made.push_back({IslandId{i + 1}, founding.name + suffix, name(), founding.focus});
    }
    return made;
}

std::optional<ProposalRequest> Evolve::next(
    const RunState& state, const PendingRequests& pending, const RestingIslands& resting) const
{
    const Island* turn = nullptr;
    std::int64_t fewest = 0;
    for (const Island& island : state.islands) {
        const auto found = pending.find(island.id);
        const std::int64_t unanswered = found == pending.end() ? 0 : found->second;
        const std::int64_t asked = island.turns() + unanswered;
        if (island.standing == Standing::Living && !resting.contains(island.id) && (!turn || asked < fewest)
            && mayPropose(state, island.id, unanswered)) {
            turn = &island;
            fewest = asked;
        }
    }
    if (!turn)
        return std::nullopt;
    ProposalRequest request = drawnRequest(state, *turn, fewest - turn->headStart + 1);
    if (request.parents.empty())
        return std::nullopt;
    return fittingRequest(state, std::move(request));
}

std::optional<events::Admitted> Evolve::admit(
    const RunState& state, IslandId island, CandidateId candidate, const std::string& cell) const
{
    const Island* home = state.island(island);
    const Candidate* newcomer = state.candidate(candidate);
    if (!home || !newcomer || !newcomer->isRanked())
        return std::nullopt;
    Place place = placeFor(state, *home, candidate, fitnessOf(*newcomer), cell);
    if (!place.taken)
        return std::nullopt;
    return events::Admitted{candidate, island, cell, place.elite, std::move(place.displaced)};
}

std::optional<events::Migrated> Evolve::migrate(const RunState& state, IslandId island) const
{
    const Island* from = state.island(island);
    const MigrationPlan& plan = state.settings.migration;
    if (!from || from->standing == Standing::Ended || from->admissions - from->lastMigration < plan.interval)
        return std::nullopt;
    for (const IslandId to : migrationTargets(state, *from))
        if (const Candidate* migrant = migrantFor(state, *from, *state.island(to)))
            if (auto moved = copyTo(state, *migrant, *state.island(to)))
                return moved;
    return std::nullopt;
}

double Evolve::screeningFloor(const RunState& state, IslandId island) const
{
    constexpr std::size_t few = 4;
    const Island* home = state.island(island);
    const Candidate* incumbent = state.candidate(state.incumbent);
    if (!home || !incumbent || !incumbent->isRanked())
        return 0;
    const std::vector<const Candidate*> ranked = byFitness(state, *home);
    return ranked.size() < few ? 0 : 0.5 * fitnessOf(*ranked[ranked.size() / 2]) / fitnessOf(*incumbent);
}

bool Evolve::becomesIncumbent(const RunState& state, CandidateId candidate) const
{
    const Candidate* challenger = state.candidate(candidate);
    const Candidate* incumbent = state.candidate(state.incumbent);
    if (!challenger || !challenger->isRanked() || !challenger->confirmed || candidate == state.incumbent
        || isBanned(state, candidate))
        return false;
    if (!incumbent)
        return true;
    // They were measured side by side: that interval decides. Two scores from different times may order them otherwise
    // by chance, and a gain that was proven would be lost.
    return challenger->verdict == Verdict::Better;
}

} // namespace tilewright
