// SPDX-License-Identifier: Apache-2.0
#include "core/device/core_split.h"

#include "core/base/text.h"
#include "core/device/cpu_quota.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sched.h>
#include <sstream>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// What leaveMeasuringCore() gave up, for the node that is started by such a process.
constexpr const char* givenCores = "TILEWRIGHT_CORES";
/// A core whose highest frequency or capacity is below this share of the fastest one's is of a slower kind. Favoured
/// cores of one kind differ by up to a tenth; efficiency cores by a fifth and more.
constexpr double sameKind = 0.85;

fs::path folderOf(const fs::path& system, int core)
{
    return system / "devices/system/cpu" / ("cpu" + std::to_string(core));
}

/// The cores that are slower by design: what the kernel lists as such (Intel), else by capacity (Arm) or by the highest
/// frequency. Empty where all are alike or nothing is known.
std::set<int> slowerCores(const std::vector<int>& cores, const fs::path& system)
{
    std::set<int> slower;
    for (const char* kind : {"devices/cpu_atom/cpus", "devices/cpu_lowpower/cpus"})
        slower.merge(cpuList(contentOf(system / kind)));
    for (const char* file : {"cpu_capacity", "cpufreq/cpuinfo_max_freq"}) {
        if (!slower.empty())
            break;
        std::map<int, double> figures;
        double highest = 0;
        for (const int core : cores) {
            figures[core] = static_cast<double>(numberIn(folderOf(system, core) / file).value_or(0));
            highest = std::max(highest, figures[core]);
        }
        for (const auto& [core, figure] : figures)
            if (figure > 0 && figure < sameKind * highest)
                slower.insert(core);
    }
    return slower;
}

void stayOn(const std::vector<int>& cpus)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        CPU_SET(static_cast<std::size_t>(cpu), &set);
    sched_setaffinity(0, sizeof set, &set);
}

} // namespace

std::set<int> cpuList(const std::string& text)
{
    std::set<int> cpus;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        int first = -1, last = -1;
        if (std::sscanf(part.c_str(), "%d-%d", &first, &last) == 1)
            last = first;
        for (int cpu = first; cpu >= 0 && cpu <= last; ++cpu)
            cpus.insert(cpu);
    }
    return cpus;
}

std::vector<int> allowedCores()
{
    if (const char* given = std::getenv(givenCores); given && *given) {
        const std::set<int> cpus = cpuList(given);
        if (!cpus.empty())
            return {cpus.begin(), cpus.end()};
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(static_cast<std::size_t>(cpu), &set))
                cpus.push_back(cpu);
    return cpus.empty() ? std::vector<int>{0} : cpus;
}

CoreSplit splitCores(const std::vector<int>& allowed, const fs::path& system, double quota)
{
    CoreSplit split;
    split.quota = quota;
    const std::set<int> slower = slowerCores(allowed, system);
    std::ranges::copy_if(allowed, std::back_inserter(split.slower), [&](int core) { return slower.contains(core); });
    if (split.slower.size() == allowed.size())
        split.slower.clear(); // only these may be used: none is slower than another
    const auto isFast = [&](int core) { return std::ranges::find(split.slower, core) == split.slower.end(); };
    split.measuring = *std::ranges::find_if(allowed.rbegin(), allowed.rend(), isFast);
    std::set<int> siblings = cpuList(contentOf(folderOf(system, split.measuring) / "topology/thread_siblings_list"));
    siblings.insert(split.measuring);
    std::ranges::copy_if(
        allowed, std::back_inserter(split.builders), [&](int core) { return !siblings.contains(core); });
    if (split.builders.empty() || split.isQuotaTight()) {
        split.clock = split.measuring;
        return split;
    }
    // The clock fills inputs and checks outputs between samples: on a fast core where one is left.
    const auto clock = std::ranges::find_if(split.builders.rbegin(), split.builders.rend(), isFast);
    split.clock = clock == split.builders.rend() ? split.builders.back() : *clock;
    if (split.builders.size() > 2)
        std::erase(split.builders, split.clock);
    return split;
}

CoreSplit splitCores() { return splitCores(allowedCores(), "/sys", cpuQuota()); }

void leaveMeasuringCore()
{
    const CoreSplit split = splitCores();
    if (split.builders.empty())
        return;
    std::string all;
    for (const int cpu : allowedCores())
        all += (all.empty() ? "" : ",") + std::to_string(cpu);
    setenv(givenCores, all.c_str(), 1);
    stayOn(split.builders);
}

void keepThreadOffMeasuringCore(const CoreSplit& split)
{
    if (!split.builders.empty())
        stayOn(split.builders);
}

void takeGivenCores()
{
    if (std::getenv(givenCores))
        stayOn(allowedCores());
}

} // namespace tilewright
