// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/gpu_counters.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace tilewright {
namespace {

constexpr double nearPeak = 60; ///< per cent: below it at every unit, latency is what limits
constexpr double fewWarps = 30, muchConflict = 0.1, wastedSectors = 60;
constexpr std::string_view stallHead = "smsp__average_warps_issue_stalled_", stallTail = "_per_issue_active.ratio";

using CounterMember = std::pair<std::string_view, std::optional<double> GpuCounters::*>;
constexpr std::array<CounterMember, 11> counterMembers{{
    {"gpu__time_duration.sum", &GpuCounters::durationNs},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", &GpuCounters::multiprocessors},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", &GpuCounters::memory},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", &GpuCounters::firstCache},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", &GpuCounters::secondCache},
    {"lts__t_sector_hit_rate.pct", &GpuCounters::secondCacheHits},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", &GpuCounters::warpsAtWork},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", &GpuCounters::issueSlots},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", &GpuCounters::sectorBytes},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", &GpuCounters::sharedPasses},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", &GpuCounters::conflictPasses},
}};

/// The same unit for all launches: ncu chooses it by the size.
double inNanoseconds(double value, const std::string& unit)
{
    static const std::map<std::string, double> units{
        {"us", 1e3}, {"usecond", 1e3}, {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9}, {"second", 1e9}};
    const auto found = units.find(unit);
    return found == units.end() ? value : value * found->second;
}

/// "Mbyte" and the like stand for counts as well: "1.2 M".
GpuCounters countersOfLaunch(const nlohmann::json& launch)
{
    GpuCounters counters;
    counters.kernel = launch.value("kernel", "");
    for (const nlohmann::json& each : launch.value("counters", nlohmann::json::array())) {
        if (!each.is_object() || !each.contains("value") || !each["value"].is_number())
            continue;
        const auto name = each.value("name", std::string());
        const auto value = each["value"].get<double>();
        if (isStallCounter(name))
            counters.stalls.emplace_back(
                name.substr(stallHead.size(), name.size() - stallHead.size() - stallTail.size()), value);
        else if (const auto known = std::ranges::find(counterMembers, name, &CounterMember::first);
                 known != counterMembers.end() && !(counters.*known->second))
            counters.*known->second = value;
        if (name == counterMembers.front().first)
            counters.durationNs = inNanoseconds(value, each.value("unit", ""));
    }
    const double all = std::accumulate(counters.stalls.begin(), counters.stalls.end(), 0.0,
        [](double sum, const auto& stall) { return sum + stall.second; });
    for (auto& [reason, cycles] : counters.stalls)
        cycles = all > 0 ? cycles / all : 0;
    std::erase_if(counters.stalls, [](const auto& stall) { return stall.second <= 0; });
    std::ranges::stable_sort(counters.stalls, std::ranges::greater{}, &std::pair<std::string, double>::second);
    return counters;
}

std::string percentage(double value) { return fixedText(value, 0) + " %"; }

/// The unit that is used the most, and what it is called.
std::pair<double, std::string> busiestMemory(const GpuCounters& counters)
{
    return std::max({std::pair(counters.memory.value_or(0), std::string("the memory's bandwidth")),
        std::pair(counters.secondCache.value_or(0), std::string("the L2 cache")),
        std::pair(counters.firstCache.value_or(0), std::string("L1 and shared memory"))});
}

/// "88 % of the memory's bandwidth, 30 % of the multiprocessors' peak, L2 hits 45 %, 62 % of the warps at work".
std::string peakWords(const GpuCounters& counters)
{
    std::vector<std::string> parts;
    const auto add = [&](const std::optional<double>& value, const char* before, const char* behind) {
        if (value)
            parts.push_back(before + percentage(*value) + behind);
    };
    add(counters.memory, "", " of the memory's bandwidth");
    add(counters.multiprocessors, "", " of the multiprocessors' peak");
    add(counters.firstCache, "", " of that of L1 and shared memory");
    add(counters.secondCache, "", " of that of L2");
    add(counters.secondCacheHits, "L2 hits ", "");
    add(counters.warpsAtWork, "", " of the warps that fit are active");
    add(counters.issueSlots, "instructions issued in ", " of the cycles");
    return joined(parts, ", ");
}

std::string boundWords(GpuBound bound, const GpuCounters& counters)
{
    if (bound == GpuBound::Compute)
        return "it is compute-bound";
    if (bound == GpuBound::Memory)
        return "it is memory-bound, by " + busiestMemory(counters).second;
    return "it is latency-bound: nothing is near its peak";
}

std::string stallSentence(const GpuCounters& counters)
{
    constexpr double few = 0.15; ///< of the cycles
    std::vector<std::string> parts;
    for (const auto& [reason, share] : counters.stalls)
        if (reason != "selected" && share >= few && parts.size() < 2)
            parts.push_back(stallWords(reason) + " (" + percentage(100 * share) + ", " + reason + ")");
    return parts.empty() ? std::string()
                         : "Between two instructions its warps wait most for " + joined(parts, " and ") + ".";
}

} // namespace

bool isStallCounter(const std::string& name)
{
    return name.starts_with(stallHead) && name.ends_with(stallTail)
        && name.size() > stallHead.size() + stallTail.size();
}

std::optional<GpuCounters> longestLaunch(const nlohmann::json& json)
{
    std::optional<GpuCounters> longest;
    if (!json.is_object())
        return longest;
    for (const nlohmann::json& launch : json.value("launches", nlohmann::json::array())) {
        if (!launch.is_object())
            continue;
        GpuCounters counters = countersOfLaunch(launch);
        if (!longest || counters.durationNs.value_or(0) > longest->durationNs.value_or(0))
            longest = std::move(counters);
    }
    return longest;
}

std::optional<GpuBound> boundOf(const GpuCounters& counters)
{
    if (!counters.multiprocessors || !counters.memory)
        return std::nullopt;
    const double moving = busiestMemory(counters).first;
    if (std::max(*counters.multiprocessors, moving) < nearPeak)
        return GpuBound::Latency;
    return moving > *counters.multiprocessors ? GpuBound::Memory : GpuBound::Compute;
}

std::string stallWords(const std::string& reason)
{
    static const std::map<std::string, std::string, std::less<>> words{{"barrier", "other warps at a barrier"},
        {"branch_resolving", "a branch"}, {"dispatch_stall", "the dispatcher"}, {"drain", "stores at the end"},
        {"gmma", "a warpgroup's tensor-core instruction"}, {"imc_miss", "constants missing from the constant cache"},
        {"lg_throttle", "room in the queue of accesses to global memory"},
        {"long_scoreboard", "data from global or local memory"}, {"math_pipe_throttle", "a free arithmetic unit"},
        {"membar", "a memory fence"}, {"mio_throttle", "room in the queue of shared memory and special functions"},
        {"no_instruction", "instructions missing from the instruction cache"},
        {"not_selected", "their turn, as another warp is ready too"},
        {"short_scoreboard", "data from shared memory or a special function"}, {"sleeping", "the end of a sleep"},
        {"tex_throttle", "room in the queue of texture accesses"}, {"wait", "the fixed latency of an instruction"}};
    const auto found = words.find(reason);
    return found == words.end() ? reason : found->second;
}

std::vector<std::string> boundSentences(const nlohmann::json& json)
{
    std::vector<std::string> sentences;
    const auto counters = longestLaunch(json);
    const auto bound = counters ? boundOf(*counters) : std::nullopt;
    if (!bound)
        return sentences;
    sentences.push_back("By profiler counters, in " + (counters->kernel.empty() ? "a launch" : counters->kernel) + ": "
        + boundWords(*bound, *counters) + " (" + peakWords(*counters) + ").");
    if (std::string stalls = stallSentence(*counters); !stalls.empty())
        sentences.push_back(std::move(stalls));
    if (*bound == GpuBound::Latency && counters->warpsAtWork && *counters->warpsAtWork < fewWarps)
        sentences.push_back("Only " + percentage(*counters->warpsAtWork)
            + " of the warps that fit are at work: more blocks or more independent work in a thread would hide "
              "latency.");
    const double passes = counters->sharedPasses.value_or(0), conflicts = counters->conflictPasses.value_or(0);
    if (passes > 0 && conflicts > muchConflict * passes)
        sentences.push_back(percentage(100 * std::min(1.0, conflicts / passes))
            + " of the passes through shared memory are repeats for bank conflicts: a padded or swizzled layout would "
              "save them.");
    if (counters->sectorBytes && *counters->sectorBytes<wastedSectors&& * counters->sectorBytes> 0)
        sentences.push_back("Loads from global memory use " + percentage(*counters->sectorBytes)
            + " of each 32-byte sector that they fetch: neighbouring threads should read neighbouring numbers.");
    return sentences;
}

} // namespace tilewright
