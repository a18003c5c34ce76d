// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/islands.h"

#include "core/model/best.h"
#include "core/model/reviews/review_queue.h"

#include <algorithm>
#include <array>
#include <map>

namespace tilewright {
namespace {

struct Founding {
    const char* name;
    Focus focus;
};
constexpr std::array<Founding, 4> foundings{
    {{"Explore", Focus::Explore}, {"Exploit", Focus::Exploit}, {"Tune", Focus::Tune}, {"Crossover", Focus::Crossover}}};

} // namespace

std::vector<events::IslandCreated> foundersOf(const RunSettings& settings)
{
    // `--proposer random` alone is a run of one island that always edits the seed.
    if (settings.strategies.empty() && settings.proposer == "random")
        return {{IslandId{1}, "Random", "random", Focus::Explore}};
    std::vector<events::IslandCreated> made;
    std::map<std::string, int> named;
    for (int i = 0; i < std::max(1, settings.islands); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Founding& founding = foundings[at % foundings.size()];
        const std::string strategy = at < settings.strategies.size() ? settings.strategies[at] : "evolve";
        const bool hasFocus = strategy == "evolve"; // the others have a name alone
        std::string name = founding.name;
        if (!hasFocus) {
            name = strategy;
            if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
                name.front() = static_cast<char>(name.front() - 'a' + 'A');
        }
        if (const int before = named[name]++; before > 0)
            name += " " + std::to_string(before + 1);
        made.push_back({IslandId{i + 1}, name, strategy, hasFocus ? founding.focus : Focus::Explore});
    }
    return made;
}

const Strategy& strategyOf(const Island& island)
{
    const Strategy* own = strategyNamed(island.strategy);
    return own ? *own : *strategyNamed("evolve");
}

std::optional<ProposalRequest> nextRequest(
    const RunState& state, const PendingRequests& pending, const RestingIslands& resting)
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
    return turn ? strategyOf(*turn).request(state, *turn, fewest - turn->headStart + 1) : std::nullopt;
}

std::string whyRequested(const RunState& state, const ProposalRequest& request)
{
    if (request.steering)
        return "requested by a user";
    const Island* island = state.island(request.island);
    return island ? strategyOf(*island).why(state, *island, request) : std::string();
}

std::optional<events::Admitted> admissionOf(
    const RunState& state, IslandId island, CandidateId candidate, const std::string& cell)
{
    const Island* home = state.island(island);
    const Candidate* newcomer = state.candidate(candidate);
    return home && newcomer && newcomer->isRanked() ? strategyOf(*home).admit(state, *home, *newcomer, cell)
                                                    : std::nullopt;
}

std::optional<events::Migrated> migrationOf(const RunState& state, IslandId island)
{
    const Island* from = state.island(island);
    return from && from->standing != Standing::Ended ? strategyOf(*from).migrate(state, *from) : std::nullopt;
}

double screeningFloorOf(const RunState& state, IslandId island)
{
    const Island* home = state.island(island);
    return home ? strategyOf(*home).screeningFloor(state, *home) : 0;
}

bool becomesIncumbent(const RunState& state, CandidateId candidate)
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
