// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_search.h"

#include "core/tensor/lift.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace tilewright::tensor {
namespace {

/// Several lanes a thread, so that a thread that the system lets wait leaves its lanes to others.
int lanesFor(int threads) { return threads == 1 ? 1 : 4 * threads; }

/// Flips of a lane in a round: short rounds at first, so that small formats end soon.
std::uint64_t flipsInRound(std::uint64_t round)
{
    constexpr std::uint64_t first = 10'000, most = 1'000'000;
    return std::min(most, first << std::min<std::uint64_t>(round / 8, 7));
}

/// Schemes of a stage that the next one begins with.
constexpr std::size_t startsOfNextStage = 4;

/// With the definition's products they must fit a walker.
constexpr int largestFixedRank = 128;

bool fitsFormat(const std::vector<Mod2Product>& products, const Format& format)
{
    const std::array<int, 3> entries{format.aEntries(), format.bEntries(), format.cEntries()};
    return std::ranges::all_of(products, [&](const Mod2Product& product) {
        for (std::size_t factor = 0; factor < 3; ++factor)
            if (product[factor] == 0 || (entries[factor] < 64 && product[factor] >> entries[factor] != 0))
                return false;
        return true;
    });
}

} // namespace

struct FlipSearch::LaneRound {
    std::optional<FlipPath> path; ///< where the lane goes on
    FlipStatistics statistics;
    std::vector<Mod2Scheme> lowered;
};

Result<FlipSearch> FlipSearch::of(const FlipRequest& request)
{
    if (const auto checked = checkFormat(request.format); !checked)
        return std::unexpected(checked.error());
    if (request.target < 1)
        return fail("tensor/rank", "a rank of " + std::to_string(request.target) + " cannot be reached",
            "ask for a rank of at least 1");
    if (request.threads < 1 || request.threads > mostFlipThreads)
        return fail("tensor/threads", std::to_string(request.threads) + " threads cannot search",
            "ask for 1 to " + std::to_string(mostFlipThreads));
    if (!fitsFormat(request.played, request.format))
        return fail("tensor/shape", "the products that stay do not fit " + textOf(request.format));
    const int fixed = static_cast<int>(request.played.size());
    if (request.target <= fixed || fixed > largestFixedRank)
        return fail("tensor/rank",
            "with " + std::to_string(fixed) + " products that stay, a rank of " + std::to_string(request.target)
                + " cannot be reached",
            "ask for a rank of at least " + std::to_string(fixed + 1));
    FlipSearch search;
    search.m_request = request;
    search.m_lanes.resize(static_cast<std::size_t>(lanesFor(request.threads)));
    if (request.played.empty()) {
        search.m_stages = flipPlan(request.format, request.target);
        search.beginStage(0, {mod2Schoolbook(search.m_stages.front().format)});
        return search;
    }
    // Modulo 2 the definition and what is played together are what is left.
    search.m_stages = {{sorted(request.format), request.target - fixed}};
    search.m_played = withAxes({request.format, request.played}, sortedAxes(request.format)).products;
    Mod2Scheme start = mod2Schoolbook(sorted(request.format));
    std::ranges::copy(search.m_played, std::back_inserter(start.products));
    search.beginStage(0, {FlipWalker(start).scheme()});
    return search;
}

void FlipSearch::beginStage(std::size_t stage, std::vector<Mod2Scheme> starts)
{
    m_stage = stage;
    m_stageRounds = m_stageFlips = m_reachedAfter = 0;
    m_statistics.leftBehind += static_cast<std::uint64_t>(pathsUnderway());
    m_best = *std::ranges::min_element(starts, {}, &Mod2Scheme::rank);
    m_staircase.push_back({m_best->format, m_best->rank() + fixedRank(), m_statistics.flips, m_seconds});
    m_pools = poolsOf(std::move(starts), m_stages[stage].target);
    for (Lane& lane : m_lanes)
        lane.path.reset();
}

FlipSearch::LaneRound FlipSearch::roundOf(std::size_t lane, std::uint64_t flips) const
{
    CounterRandom random(m_request.seed, lane, m_statistics.rounds);
    LaneRound round{m_lanes[lane].path, {}, {}};
    FlipStatistics& did = round.statistics;
    while (did.flips < flips) {
        if (!round.path) {
            round.path = m_pools.nextPath(random);
            ++did.paths;
        }
        FlipPath::Part part = round.path->advance(flips - did.flips, m_pools.target, m_request.rules, random);
        did.flips += part.flips;
        did.plusTransitions += part.plusTransitions;
        std::ranges::move(part.lowered, std::back_inserter(round.lowered));
        if (!part.end)
            continue;
        did.endedAtLimit += *part.end == PathEnd::Limit;
        did.endedReduced += *part.end == PathEnd::Reduced;
        did.endedWithoutFlips += *part.end == PathEnd::NoFlips;
        const bool hasArrived = round.path->state().lowest <= m_pools.target;
        round.path.reset();
        if (hasArrived || part.flips == 0)
            break; // the search may be over; and a path of no flips must not be begun again and again
    }
    if (m_request.onlyLiftable)
        did.withoutLift += keepLiftable(round.lowered);
    return round;
}

std::uint64_t FlipSearch::keepLiftable(std::vector<Mod2Scheme>& schemes) const
{
    if (m_stages[m_stage].format.naiveRank() > largestCheckedVolume)
        return 0;
    std::erase_if(schemes, [&](const Mod2Scheme& scheme) { return !m_pools.hasRoomFor(scheme, m_request.rules); });
    return std::erase_if(schemes, [this](Mod2Scheme scheme) {
        scheme.products.insert(scheme.products.end(), m_played.begin(), m_played.end()); // only the whole can lift
        return !liftsModulo4(schemeOf(scheme)).value_or(false);
    });
}

std::vector<FlipSearch::LaneRound> FlipSearch::roundOfAll(std::uint64_t flips) const
{
    std::vector<LaneRound> rounds(m_lanes.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t lane = next++; lane < rounds.size(); lane = next++)
            rounds[lane] = roundOf(lane, flips);
    };
    std::vector<std::jthread> others;
    for (int thread = 1; thread < m_request.threads; ++thread)
        others.emplace_back(work);
    work();
    others.clear(); // waits for them
    return rounds;
}

Result<void> FlipSearch::note(const Mod2Scheme& scheme, double seconds)
{
    if (!isExactBeside(scheme, m_played))
        return fail("tensor/wrong",
            "a walk left the tensor of " + textOf(scheme.format) + " at rank " + std::to_string(scheme.rank()),
            "this is an error of the search; report it with format, seed and threads");
    if (!m_best || scheme.rank() < m_best->rank()) {
        m_best = scheme;
        m_staircase.push_back({scheme.format, scheme.rank() + fixedRank(), m_statistics.flips, seconds});
    }
    m_pools.add(scheme, m_request.rules);
    return {};
}

Result<void> FlipSearch::take(std::vector<LaneRound> rounds, double seconds)
{
    std::uint64_t flips = 0;
    for (std::size_t lane = 0; lane < rounds.size(); ++lane) {
        const FlipStatistics& did = rounds[lane].statistics;
        flips += did.flips;
        m_statistics.flips += did.flips;
        m_statistics.plusTransitions += did.plusTransitions;
        m_statistics.paths += did.paths;
        m_statistics.endedAtLimit += did.endedAtLimit;
        m_statistics.endedReduced += did.endedReduced;
        m_statistics.endedWithoutFlips += did.endedWithoutFlips;
        m_statistics.withoutLift += did.withoutLift;
        m_lanes[lane].path = std::move(rounds[lane].path);
        for (const Mod2Scheme& scheme : rounds[lane].lowered)
            if (const auto noted = note(scheme, seconds); !noted)
                return noted;
    }
    m_stageFlips += flips;
    if (m_reachedAfter == 0 && m_best->rank() <= m_pools.target)
        m_reachedAfter = m_stageFlips;
    ++m_statistics.rounds;
    ++m_stageRounds;
    m_pools.settle(flips, m_request.rules);
    return {};
}

bool FlipSearch::isStageDone(int wanted) const
{
    const std::size_t reached = m_pools.reached().size();
    if (isLastStage())
        return reached >= static_cast<std::size_t>(std::max(1, wanted));
    return reached >= startsOfNextStage || (reached > 0 && m_stageFlips >= 2 * m_reachedAfter);
}

int FlipSearch::pathsUnderway() const
{
    return static_cast<int>(std::ranges::count_if(m_lanes, [](const Lane& lane) { return lane.path.has_value(); }));
}

Result<FlipSearchEnd> FlipSearch::run(int wanted, std::stop_token stop,
    std::optional<std::chrono::duration<double>> limit, const std::function<void(const FlipSnapshot&)>& told)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const double before = m_seconds;
    while (true) {
        if (isStageDone(wanted)) {
            if (isLastStage())
                return FlipSearchEnd::Found;
            std::vector<Mod2Scheme> starts = m_pools.reached();
            starts.resize(std::min(starts.size(), startsOfNextStage));
            for (Mod2Scheme& start : starts)
                start = extendedTo(m_stages[m_stage + 1].format, start);
            beginStage(m_stage + 1, std::move(starts));
            continue;
        }
        if (stop.stop_requested() || (limit && Clock::now() - begin >= *limit))
            return FlipSearchEnd::Stopped;
        const auto roundBegin = Clock::now();
        const std::uint64_t flipsBefore = m_statistics.flips;
        std::vector<LaneRound> rounds = roundOfAll(flipsInRound(m_stageRounds));
        m_seconds = before + std::chrono::duration<double>(Clock::now() - begin).count();
        if (const auto taken = take(std::move(rounds), m_seconds); !taken)
            return std::unexpected(taken.error());
        const double took = std::chrono::duration<double>(Clock::now() - roundBegin).count();
        m_flipsPerSecond = took > 0 ? static_cast<double>(m_statistics.flips - flipsBefore) / took : 0;
        if (told)
            told(snapshot());
    }
}

FlipSnapshot FlipSearch::snapshot() const
{
    FlipSnapshot shot;
    shot.format = m_stages[m_stage].format;
    shot.stage = static_cast<int>(m_stage) + 1;
    shot.stages = static_cast<int>(m_stages.size());
    shot.target = m_pools.target + fixedRank();
    shot.level = m_pools.level + fixedRank();
    shot.lowest = m_best->rank() + fixedRank();
    for (const auto& [rank, size] : m_pools.sizes())
        shot.poolSizes[rank + fixedRank()] = size;
    shot.pathsUnderway = pathsUnderway();
    shot.statistics = m_statistics;
    shot.staircase = m_staircase;
    shot.seconds = m_seconds;
    shot.flipsPerSecond = m_flipsPerSecond;
    return shot;
}

Mod2Scheme FlipSearch::asAskedFor(const Mod2Scheme& scheme) const
{
    Mod2Scheme whole = scheme;
    whole.products.insert(whole.products.begin(), m_played.begin(), m_played.end());
    return withAxes(whole, inverseOrder(sortedAxes(m_request.format)));
}

std::vector<Mod2Scheme> FlipSearch::found() const
{
    std::vector<Mod2Scheme> found;
    if (isLastStage())
        for (const Mod2Scheme& scheme : m_pools.reached())
            found.push_back(asAskedFor(scheme));
    return found;
}

std::optional<Mod2Scheme> FlipSearch::best() const
{
    return isLastStage() ? std::optional(asAskedFor(*m_best)) : std::nullopt;
}

} // namespace tilewright::tensor
