// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/selection.h"

#include "core/evolve/boosts.h"
#include "core/evolve/evolve.h"
#include "core/evolve/population.h"
#include "core/evolve/usual_mix.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/requests/proposer_kind.h"
#include "core/model/tuning_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>

namespace tilewright {
namespace {

struct OwnMix {
    Focus island;
    double explore, exploit, crossover, tune;
};
// What an island does, by its own focus; rows sum to one.
constexpr std::array<OwnMix, 4> mixes{{
    {Focus::Explore, 0.60, 0.15, 0.10, 0.15},
    {Focus::Exploit, 0.10, 0.55, 0.10, 0.25},
    {Focus::Tune, 0.05, 0.20, 0.05, 0.70},
    {Focus::Crossover, 0.20, 0.15, 0.40, 0.25},
}};
/// Share of exploring that starts in a cell next to the best one's.
constexpr double neighbourShare = 0.3;
/// After this many candidates without a better one an island starts to explore more …
constexpr std::int64_t patience = 12;
/// … up to this share of its proposals.
constexpr double mostExtraExploring = 0.35;
/// Streams of one (seed, island): what is drawn here must not repeat what the proposer draws with the same ordinal.
constexpr std::uint64_t selectionStream = 1000;
/// Chances of passing over the better one, at temperature 1: in the draw by rank, and of not taking the best itself.
constexpr double nextRank = 0.7, notTheBest = 0.4;
/// A partner of a crossover may be slower than the first parent by this factor, as long as there are such ones: one
/// that is slower still brings little.
constexpr double slowestPartner = 2;
/// A further structure is tuned this much less often than the one before it.
constexpr double nextStructure = 0.45;
/// How often it is drawn until a parent comes that is not spent; the last one is taken as it is.
constexpr int mostDraws = 12;
/// Of paid requests one in so many is about the best program.
constexpr std::int64_t bestEvery = 3;

FocusMix mixOf(const Island& island)
{
    if (island.steering.mix) {
        FocusMix mix = *island.steering.mix;
        const double sum = mix.sum();
        for (double* weight : {&mix.explore, &mix.neighbour, &mix.exploit, &mix.crossover, &mix.tune})
            *weight /= sum;
        return mix;
    }
    return usualMix(island.focus);
}

double neighbourShareOf(const Island& island)
{
    if (!island.steering.mix)
        return neighbourShare;
    const double exploring = island.steering.mix->explore + island.steering.mix->neighbour;
    return exploring > 0 ? island.steering.mix->neighbour / exploring : neighbourShare;
}

/// The chance of passing over the better one, at the temperature of the island.
double heated(double chance, const Island& island) { return std::pow(chance, 1 / island.steering.selection); }

/// Index 0 with probability 1 − q, 1 with (1 − q) q, …
std::size_t geometric(CounterRandom& random, double q, std::size_t count)
{
    std::size_t at = 0;
    while (at + 1 < count && random.uniform() < q)
        ++at;
    return at;
}

std::set<std::string> structureOf(const Candidate& candidate)
{
    return {candidate.moves.begin(), candidate.moves.end()};
}

CandidateId drawByRank(const std::vector<const Candidate*>& ranked, const Island& island, CounterRandom& random)
{
    return ranked[geometric(random, heated(nextRank, island), ranked.size())]->id;
}

std::vector<const Candidate*> neighboursOfBest(const std::vector<const Candidate*>& ranked)
{
    std::vector<const Candidate*> near;
    for (const Candidate* candidate : ranked)
        if (areNeighbours(candidate->cell, ranked.front()->cell))
            near.push_back(candidate);
    return near;
}

CandidateId drawExplorer(const std::vector<const Candidate*>& ranked, const Island& island, CounterRandom& random)
{
    if (random.uniform() < neighbourShareOf(island)) {
        const std::vector<const Candidate*> near = neighboursOfBest(ranked);
        if (!near.empty())
            return near[random.below(near.size())]->id;
    }
    return ranked[random.below(ranked.size())]->id;
}

std::vector<const Candidate*> bestOfStructures(const std::vector<const Candidate*>& ranked)
{
    std::vector<const Candidate*> bestOfStructure;
    std::set<std::set<std::string>> seen;
    for (const Candidate* candidate : ranked)
        if (!candidate->tunables.empty() && seen.insert(structureOf(*candidate)).second)
            bestOfStructure.push_back(candidate);
    return bestOfStructure;
}

CandidateId drawForTuning(const std::vector<const Candidate*>& ranked, const Island& island, CounterRandom& random)
{
    const std::vector<const Candidate*> bestOfStructure = bestOfStructures(ranked);
    if (bestOfStructure.empty())
        return ranked.front()->id;
    return bestOfStructure[geometric(random, heated(nextStructure, island), bestOfStructure.size())]->id;
}

/// What geometric() draws, as chances.
std::vector<double> chancesByRank(double q, std::size_t count)
{
    std::vector<double> chances(count);
    double rest = 1;
    for (std::size_t i = 0; i < count; ++i, rest *= q)
        chances[i] = i + 1 < count ? rest * (1 - q) : rest;
    return chances;
}

/// What the draws above do for the first parent, as chances: for a draw that boosts change.
std::vector<double> parentChances(const std::vector<const Candidate*>& ranked, const Island& island, Focus focus)
{
    const std::size_t count = ranked.size();
    std::vector<double> chances = chancesByRank(heated(nextRank, island), count);
    const auto spread = [&](const std::vector<const Candidate*>& over, const std::vector<double>& shares) {
        for (std::size_t i = 0; i < count; ++i)
            if (const auto at = std::ranges::find(over, ranked[i]); at != over.end())
                chances[i] += shares[static_cast<std::size_t>(at - over.begin())];
    };
    const auto evenly = [](std::size_t over, double share) {
        return std::vector<double>(over, share / static_cast<double>(std::max<std::size_t>(over, 1)));
    };
    switch (focus) {
    case Focus::Crossover:
        break;
    case Focus::Exploit:
        for (double& chance : chances)
            chance *= heated(notTheBest, island);
        chances.front() += 1 - heated(notTheBest, island);
        break;
    case Focus::Tune: {
        const std::vector<const Candidate*> structures = bestOfStructures(ranked);
        chances.assign(count, 0);
        if (structures.empty())
            chances.front() = 1;
        else
            spread(structures, chancesByRank(heated(nextStructure, island), structures.size()));
        break;
    }
    default: {
        const std::vector<const Candidate*> near = neighboursOfBest(ranked);
        const double share = neighbourShareOf(island);
        chances = evenly(count, near.empty() ? 1 : 1 - share);
        spread(near, evenly(near.size(), share));
    }
    }
    return chances;
}

/// Does the one come from the other, by first parents?
bool comesFrom(const RunState& state, const Candidate& one, CandidateId other)
{
    const Candidate* at = &one;
    while (at && at->id > other) // parents are older than their children
        at = at->parents.empty() ? nullptr : state.candidate(at->parents.front());
    return at && at->id == other;
}

bool areInLine(const RunState& state, CandidateId one, CandidateId other)
{
    return comesFrom(state, *state.candidate(one), other) || comesFrom(state, *state.candidate(other), one);
}

/// What a program can be crossed with: neither itself nor, where there are others, what it was made from, what was made
/// from it, or what is slower by far.
std::vector<CandidateId> otherPrograms(
    const RunState& state, const std::vector<const Candidate*>& ranked, CandidateId firstId)
{
    std::vector<CandidateId> others;
    for (const Candidate* candidate : ranked)
        if (candidate->program != state.candidate(firstId)->program)
            others.push_back(candidate->id);
    std::vector<CandidateId> strangers;
    std::ranges::copy_if(
        others, std::back_inserter(strangers), [&](CandidateId other) { return !areInLine(state, firstId, other); });
    if (strangers.empty())
        strangers = std::move(others);
    const double least = fitnessOf(*state.candidate(firstId)) / slowestPartner;
    std::vector<CandidateId> near;
    std::ranges::copy_if(strangers, std::back_inserter(near),
        [&](CandidateId other) { return fitnessOf(*state.candidate(other)) >= least; });
    return near.empty() ? strangers : near;
}

std::vector<CandidateId> boostedParents(const RunState& state, const std::vector<const Candidate*>& ranked,
    const Island& island, Focus focus, const std::vector<double>& boosts, CounterRandom& random)
{
    const CandidateId first = ranked[drawBoosted(parentChances(ranked, island, focus), boosts, random)]->id;
    const std::vector<CandidateId> others = otherPrograms(state, ranked, first);
    if (focus != Focus::Crossover || others.empty())
        return {first};
    std::vector<double> chances(ranked.size(), 0);
    for (std::size_t i = 0; i < ranked.size(); ++i)
        chances[i] = std::ranges::find(others, ranked[i]->id) == others.end() ? 0 : 1;
    return {first, ranked[drawBoosted(chances, boosts, random)]->id};
}

std::vector<int> coordinates(const std::string& cell)
{
    std::vector<int> bins;
    for (std::size_t from = 0; from <= cell.size();) {
        const std::size_t to = std::min(cell.find(',', from), cell.size());
        int bin = 0;
        const auto [end, problem] = std::from_chars(cell.data() + from, cell.data() + to, bin);
        if (problem != std::errc{} || end != cell.data() + to)
            return {};
        bins.push_back(bin);
        from = to + 1;
    }
    return bins;
}

} // namespace

FocusMix usualMix(Focus island)
{
    const auto own = std::ranges::find(mixes, island, &OwnMix::island);
    const OwnMix& mix = own == mixes.end() ? mixes.front() : *own;
    return {mix.explore * (1 - neighbourShare), mix.explore * neighbourShare, mix.exploit, mix.crossover, mix.tune};
}

std::int64_t endedSince(const RunState& state, const Island& island, std::int64_t seq)
{
    return std::ranges::count_if(state.candidates, [&](const Candidate& candidate) {
        return candidate.island == island.id && candidate.stage == Stage::Done && !candidate.migrated
            && candidate.seq > seq && !isVersion(state, candidate);
    });
}

std::int64_t sinceLastImprovement(const RunState& state, const Island& island)
{
    const Candidate* best = state.candidate(island.best);
    return endedSince(state, island, best ? best->seq : 0);
}

Focus drawFocus(const RunState& state, const Island& island, CounterRandom& random)
{
    const FocusMix mix = mixOf(island);
    const std::int64_t stale = island.steering.mix ? 0 : sinceLastImprovement(state, island) - patience;
    const double extra = stale > 0 ? std::min(mostExtraExploring, 0.02 * static_cast<double>(stale)) : 0.0;
    // Drawn as without a user's word: what follows is drawn alike.
    const bool explores = random.uniform() < extra;
    const double draw = explores ? 0 : random.uniform();
    if (island.steering.focus)
        return *island.steering.focus;
    if (explores)
        return Focus::Explore;
    Focus chosen = Focus::Explore;
    double below = 0;
    for (const auto& [focus, weight] : {std::pair{Focus::Explore, mix.explore + mix.neighbour},
             {Focus::Exploit, mix.exploit}, {Focus::Crossover, mix.crossover}, {Focus::Tune, mix.tune}}) {
        if (weight <= 0)
            continue; // never, not even by the last digit of the sum
        chosen = focus;
        below += weight;
        if (draw < below)
            break;
    }
    return chosen;
}

std::vector<const Candidate*> nearBest(const RunState& state, const Island& island)
{
    const auto within = [&](std::vector<const Candidate*> ranked, double best) {
        const auto isFar = [&](const Candidate* each) {
            const bool isSeed = originOf(state, each->id) == CandidateId{1};
            return fitnessOf(*each) < farFromBest * best || (isSeed && best > fitnessOf(*each));
        };
        std::erase_if(ranked, isFar);
        return ranked;
    };
    std::vector<const Candidate*> all;
    std::set<Hash> programs; // a copy is asked about once
    for (const Island& each : state.islands)
        for (const Candidate* candidate : byFitness(state, each))
            if (programs.insert(candidate->program).second)
                all.push_back(candidate);
    std::ranges::stable_sort(all, std::greater(), [](const Candidate* each) { return fitnessOf(*each); });
    if (all.empty())
        return all;
    const double best = std::max(fitnessOf(*all.front()), fitnessOf(state, state.incumbent));
    std::vector<const Candidate*> own = within(byFitness(state, island), best);
    return own.empty() ? within(std::move(all), best) : own;
}

bool isOvertaken(const RunState& state, const ModelRequest& request)
{
    const Island* island = state.island(request.island);
    const bool isOwnChoice = request.steering || request.repairOf || request.asksForSummary()
        || request.asksForJudgement() || request.parents.empty();
    const bool drawsNearBest = island && island->strategy == Evolve().name();
    return !isOwnChoice && drawsNearBest && request.state == ModelRequestState::Open
        && fitnessOf(state, request.parents.front()) < farFromBest * fitnessOf(state, state.incumbent);
}

namespace {

/// The best program of the run, where a paid request is to be about it; none where it is another's turn, or it may be
/// no parent.
CandidateId bestInTurn(const RunState& state, const ProposalRequest& request)
{
    const Candidate* best = state.candidate(state.incumbent);
    // Islands begin their counts apart: else all of them would be about it at once.
    const bool isTurn = (request.ordinal + request.island.value) % bestEvery == 0;
    const bool mayBe = best && best->isRanked() && !isBanned(state, best->id) && best->id != CandidateId{1};
    return readsPrompts(state.settings.proposer) && isTurn && mayBe && request.focus != Focus::Tune ? best->id
                                                                                                    : CandidateId{};
}

} // namespace

std::vector<CandidateId> drawParents(const RunState& state, const Island& island, Focus focus, CounterRandom& random)
{
    const bool isNarrowed = readsPrompts(state.settings.proposer) && focus != Focus::Tune;
    const std::vector<const Candidate*> all = byFitness(state, island);
    const std::vector<const Candidate*> near = isNarrowed ? nearBest(state, island) : all;
    const std::vector<const Candidate*>& ranked = near.empty() ? all : near;
    if (ranked.empty() && isSeedAwaited(state) && !isBanned(state, state.candidates[0].id))
        return {state.candidates[0].id}; // there is nobody else, as right after it was measured
    if (ranked.empty())
        return {};
    if (const std::vector<double> boosts = lineageBoosts(state, ranked); !boosts.empty())
        return boostedParents(state, ranked, island, focus, boosts, random);
    switch (focus) {
    case Focus::Explore:
    case Focus::Rewrite:
    case Focus::Repair:
        return {drawExplorer(ranked, island, random)};
    case Focus::Exploit:
        return {random.uniform() < 1 - heated(notTheBest, island) ? ranked.front()->id
                                                                  : drawByRank(ranked, island, random)};
    case Focus::Tune:
        return {drawForTuning(ranked, island, random)};
    case Focus::Crossover:
        break;
    }
    const CandidateId first = drawByRank(ranked, island, random);
    const std::vector<CandidateId> others = otherPrograms(state, all, first);
    if (others.empty())
        return {first};
    return {first, others[random.below(others.size())]};
}

ProposalRequest drawnRequest(const RunState& state, const Island& island, std::int64_t ordinal)
{
    ProposalRequest request{island.id, ordinal, Focus::Explore, {}};
    CounterRandom random(state.settings.seed, selectionStream + static_cast<std::uint64_t>(island.id.value),
        static_cast<std::uint64_t>(ordinal));
    for (int draw = 0; draw < mostDraws; ++draw) {
        request.focus = drawFocus(state, island, random);
        request.parents = drawParents(state, island, request.focus, random);
        if (const CandidateId best = bestInTurn(state, request); best && !request.parents.empty()) {
            std::erase(request.parents, best);
            request.parents.insert(request.parents.begin(), best);
            request.parents.resize(
                std::min<std::size_t>(request.parents.size(), request.focus == Focus::Crossover ? 2 : 1));
        }
        if (!isSpent(state, request))
            break;
    }
    return request;
}

ProposalRequest fittingRequest(const RunState& state, ProposalRequest request)
{
    const Candidate* first = state.candidate(request.parents.front());
    const Island* island = state.island(request.island);
    // A program holds all that it was made from: crossing them is asked for by a user's word alone.
    const bool wanted = island && (island->steering.mix || island->steering.focus);
    const bool pointless = request.focus == Focus::Crossover && request.parents.size() == 2 && !wanted
        && areInLine(state, request.parents[0], request.parents[1]);
    if (pointless)
        request.parents.resize(1);
    if ((request.focus == Focus::Crossover && request.parents.size() < 2)
        || (request.focus == Focus::Tune && first->tunables.empty()))
        request.focus = Focus::Explore;
    return request;
}

bool areNeighbours(const std::string& cell, const std::string& other)
{
    const std::vector<int> a = coordinates(cell), b = coordinates(other);
    if (a.empty() || a.size() != b.size() || a == b)
        return false;
    for (std::size_t axis = 0; axis < a.size(); ++axis)
        if (std::abs(a[axis] - b[axis]) > 1)
            return false;
    return true;
}

} // namespace tilewright
