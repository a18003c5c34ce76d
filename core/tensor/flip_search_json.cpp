// SPDX-License-Identifier: GPL-3.0-or-later
// A search as JSON, to go on with later. What is read is checked: every scheme has to be exact.
#include "core/base/json_text.h"
#include "core/tensor/flip_search.h"

#include <algorithm>

namespace tilewright::tensor {
namespace {

using Json = nlohmann::json;

constexpr const char* searchKind = "tilewright-flip-search";
constexpr int searchVersion = 1;

/// Thrown and caught in fromJson() only.
struct FlipFileError {
    std::string reason;
};

Json jsonOf(const Format& format) { return {format.n, format.m, format.p}; }
Json jsonOf(const Mod2Scheme& scheme) { return {{"format", jsonOf(scheme.format)}, {"products", scheme.products}}; }

Json jsonOf(const std::vector<Mod2Scheme>& schemes)
{
    Json list = Json::array();
    for (const Mod2Scheme& scheme : schemes)
        list.push_back(jsonOf(scheme));
    return list;
}

Json jsonOf(const FlipRules& rules)
{
    return {{"plus_after", rules.plusAfter}, {"plus_room", rules.plusRoom}, {"longest_path", rules.longestPath},
        {"past_goal", rules.pastGoal}, {"most_kicks", rules.mostKicks}, {"pool_size", rules.poolSize}};
}

Json jsonOf(const FlipStatistics& did)
{
    return {{"flips", did.flips}, {"plus_transitions", did.plusTransitions}, {"rounds", did.rounds},
        {"paths", did.paths}, {"ended_at_limit", did.endedAtLimit}, {"ended_reduced", did.endedReduced},
        {"ended_without_flips", did.endedWithoutFlips}, {"left_behind", did.leftBehind},
        {"without_lift", did.withoutLift}};
}

Json jsonOf(const FlipPath::State& path)
{
    return {{"scheme", jsonOf(path.scheme)}, {"goal", path.goal}, {"lowest", path.lowest},
        {"since_lowest", path.sinceLowest}, {"since_plus", path.sincePlus}, {"kicks", path.kicks}};
}

int wholeIn(const Json& json, const char* key, int least, int most)
{
    const auto value = json.at(key).get<std::int64_t>();
    if (value < least || value > most)
        throw FlipFileError{std::string(key) + " is " + std::to_string(value)};
    return static_cast<int>(value);
}

Format flipFormatIn(const Json& json)
{
    const auto axes = json.get<std::array<int, 3>>();
    const Format format{axes[0], axes[1], axes[2]};
    if (!checkFormat(format))
        throw FlipFileError{"there is no format " + dumped(json)};
    return format;
}

/// What schemes of a search must be: of this format, and exact together with the products that stay.
struct FlipTensor {
    Format format;
    const std::vector<Mod2Product>& played;
};

Mod2Scheme flipSchemeIn(const Json& json, const FlipTensor& tensor)
{
    const Format& format = tensor.format;
    Mod2Scheme scheme{flipFormatIn(json.at("format")), json.at("products").get<std::vector<Mod2Product>>()};
    if (scheme.format != format || scheme.products.empty() || scheme.rank() > largestWalkedRank
        || !isExactBeside(scheme, tensor.played))
        throw FlipFileError{"a scheme of rank " + std::to_string(scheme.rank()) + " is not one of " + textOf(format)};
    return scheme;
}

std::vector<Mod2Scheme> flipSchemesIn(const Json& json, const FlipTensor& tensor)
{
    std::vector<Mod2Scheme> schemes;
    for (const Json& scheme : json)
        schemes.push_back(flipSchemeIn(scheme, tensor));
    return schemes;
}

FlipRules flipRulesIn(const Json& json)
{
    FlipRules rules;
    const auto flips = [&](const char* key) {
        const auto count = json.at(key).get<std::uint64_t>();
        return count > 0 ? count : throw FlipFileError{std::string(key) + " is 0"};
    };
    rules.plusAfter = flips("plus_after");
    rules.plusRoom = wholeIn(json, "plus_room", 0, largestWalkedRank);
    rules.longestPath = flips("longest_path");
    rules.pastGoal = flips("past_goal");
    rules.mostKicks = wholeIn(json, "most_kicks", 0, 1'000'000);
    rules.poolSize = wholeIn(json, "pool_size", 1, 1'000'000);
    return rules;
}

FlipStatistics flipStatisticsIn(const Json& json)
{
    const auto count = [&](const char* key) { return json.at(key).get<std::uint64_t>(); };
    return {count("flips"), count("plus_transitions"), count("rounds"), count("paths"), count("ended_at_limit"),
        count("ended_reduced"), count("ended_without_flips"), count("left_behind"),
        json.value("without_lift", std::uint64_t(0))}; // none in files of before
}

FlipPath flipPathIn(const Json& json, const FlipTensor& tensor)
{
    FlipPath::State path;
    path.scheme = flipSchemeIn(json.at("scheme"), tensor);
    path.goal = wholeIn(json, "goal", 0, largestWalkedRank);
    path.lowest = wholeIn(json, "lowest", 1, largestWalkedRank);
    path.sinceLowest = json.at("since_lowest").get<std::uint64_t>();
    path.sincePlus = json.at("since_plus").get<std::uint64_t>();
    path.kicks = wholeIn(json, "kicks", 0, 1'000'000);
    return FlipPath(std::move(path));
}

} // namespace

nlohmann::json FlipSearch::json() const
{
    Json lanes = Json::array();
    for (const Lane& lane : m_lanes)
        lanes.push_back(lane.path ? jsonOf(lane.path->state()) : Json());
    Json staircase = Json::array();
    for (const RankStep& step : m_staircase)
        staircase.push_back(
            {{"format", jsonOf(step.format)}, {"rank", step.rank}, {"flips", step.flips}, {"seconds", step.seconds}});
    Json pools = Json::array();
    for (const auto& [rank, pool] : m_pools.byRank)
        pools.push_back(jsonOf(pool));
    Json asked{{"format", jsonOf(m_request.format)}, {"target", m_request.target}, {"seed", m_request.seed},
        {"threads", m_request.threads}, {"rules", jsonOf(m_request.rules)}, {"only_liftable", m_request.onlyLiftable}};
    if (!m_request.played.empty())
        asked["played"] = m_request.played;
    return {{"kind", searchKind}, {"version", searchVersion}, {"request", asked}, {"stage", m_stage},
        {"stage_rounds", m_stageRounds}, {"stage_flips", m_stageFlips}, {"reached_after", m_reachedAfter},
        {"starts", jsonOf(m_pools.starts)}, {"pools", pools}, {"level", m_pools.level},
        {"level_flips", m_pools.levelFlips}, {"best", jsonOf(*m_best)}, {"lanes", lanes},
        {"statistics", jsonOf(m_statistics)}, {"staircase", staircase}, {"seconds", m_seconds}};
}

Result<FlipSearch> FlipSearch::fromJson(const nlohmann::json& json)
{
    const auto refused = [](const std::string& reason) {
        return fail("tensor/search-file", "this is no search to go on with: " + reason,
            "give a file that 'tensor search' wrote when it was stopped, or begin anew");
    };
    try {
        if (json.at("kind") != searchKind)
            return refused("its kind is " + dumped(json.at("kind")));
        if (json.at("version") != searchVersion)
            return refused("its version is " + dumped(json.at("version")));
        const Json& asked = json.at("request");
        FlipRequest request{flipFormatIn(asked.at("format")), wholeIn(asked, "target", 1, largestWalkedRank),
            asked.at("seed").get<std::uint64_t>(), wholeIn(asked, "threads", 1, mostFlipThreads),
            flipRulesIn(asked.at("rules")), asked.value("played", std::vector<Mod2Product>()),
            asked.value("only_liftable", false)};
        auto search = FlipSearch::of(request);
        if (!search)
            return search;
        search->m_stage
            = static_cast<std::size_t>(wholeIn(json, "stage", 0, static_cast<int>(search->m_stages.size()) - 1));
        const FlipStage& stage = search->m_stages[search->m_stage];
        const FlipTensor tensor{stage.format, search->m_played};
        search->m_stageRounds = json.at("stage_rounds").get<std::uint64_t>();
        search->m_stageFlips = json.at("stage_flips").get<std::uint64_t>();
        search->m_reachedAfter = json.at("reached_after").get<std::uint64_t>();
        std::vector<Mod2Scheme> starts = flipSchemesIn(json.at("starts"), tensor);
        if (starts.empty())
            return refused("it has no schemes to begin with");
        FlipPools& pools = search->m_pools = poolsOf(std::move(starts), stage.target);
        pools.byRank.clear();
        for (const Json& pool : json.at("pools"))
            for (Mod2Scheme& scheme : flipSchemesIn(pool, tensor)) {
                const int rank = scheme.rank();
                pools.byRank[rank].push_back(std::move(scheme));
            }
        pools.level = wholeIn(json, "level", 1, largestWalkedRank);
        pools.levelFlips = json.at("level_flips").get<std::uint64_t>();
        if (!pools.byRank.contains(pools.level))
            return refused("there is no scheme of rank " + std::to_string(pools.level));
        search->m_best = flipSchemeIn(json.at("best"), tensor);
        const Json& lanes = json.at("lanes");
        if (lanes.size() != search->m_lanes.size())
            return refused("it has " + std::to_string(lanes.size()) + " lanes");
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            if (!lanes[lane].is_null())
                search->m_lanes[lane].path = flipPathIn(lanes[lane], tensor);
        search->m_statistics = flipStatisticsIn(json.at("statistics"));
        search->m_staircase.clear();
        for (const Json& step : json.at("staircase"))
            search->m_staircase.push_back({flipFormatIn(step.at("format")), wholeIn(step, "rank", 1, largestWalkedRank),
                step.at("flips").get<std::uint64_t>(), step.at("seconds").get<double>()});
        search->m_seconds = json.at("seconds").get<double>();
        return search;
    } catch (const FlipFileError& error) {
        return refused(error.reason);
    } catch (const nlohmann::json::exception& error) {
        return refused(error.what());
    }
}

} // namespace tilewright::tensor
