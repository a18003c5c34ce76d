// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu.h"

#include "core/base/text.h"
#include "core/device/microarchitecture.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <set>
#include <sstream>
#include <unistd.h>

namespace tilewright {
namespace {

std::string contentOf(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "0-3,8" → {0, 1, 2, 3, 8}
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

/// What leaveMeasuringCore() gave up, for the node that is started by such a process.
constexpr const char* givenCores = "TILEWRIGHT_CORES";

std::vector<int> allowedCpus()
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

void stayOn(const std::vector<int>& cpus)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        CPU_SET(static_cast<std::size_t>(cpu), &set);
    sched_setaffinity(0, sizeof set, &set);
}

std::int64_t cacheBytes(int level, const char* type)
{
    for (int index = 0; index < 8; ++index) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        const std::string kind(trimmed(contentOf(folder + "type")));
        if (trimmed(contentOf(folder + "level")) != std::to_string(level) || (kind != type && kind != "Unified"))
            continue;
        std::int64_t size = 0;
        char unit = ' ';
        std::istringstream(contentOf(folder + "size")) >> size >> unit;
        return size * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
    }
    return 0;
}

} // namespace

CpuFacts readCpuFacts()
{
    static const std::set<std::string> interesting{"sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw",
        "avx512vl", "avx512_bf16", "avx512_vnni", "amx_tile", "asimd", "sve"};
    CpuFacts facts;
    std::string vendor;
    int family = 0, model = 0;
    std::istringstream info(contentOf("/proc/cpuinfo"));
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        const std::string_view key = trimmed(std::string_view(line).substr(0, colon));
        const std::string value(trimmed(std::string_view(line).substr(colon + 1)));
        if (key == "model name" && facts.model.empty())
            facts.model = value;
        if (key == "vendor_id")
            vendor = value;
        if (key == "cpu family")
            family = std::atoi(value.c_str());
        if (key == "model")
            model = std::atoi(value.c_str());
        if ((key == "flags" || key == "Features") && facts.features.empty()) {
            std::istringstream words(value);
            for (std::string word; words >> word;)
                if (interesting.contains(word))
                    facts.features.push_back(word);
        }
    }
    facts.microarchitecture = microarchitectureOf(vendor, family, model);
    facts.cores = static_cast<int>(allowedCpus().size());
    facts.l1dBytes = cacheBytes(1, "Data");
    facts.l2Bytes = cacheBytes(2, "Unified");
    facts.l3Bytes = cacheBytes(3, "Unified");
    facts.memoryBytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    return facts;
}

CoreSplit splitCores()
{
    const std::vector<int> allowed = allowedCpus();
    CoreSplit split;
    split.measuring = allowed.back();
    const std::string topology
        = "/sys/devices/system/cpu/cpu" + std::to_string(split.measuring) + "/topology/thread_siblings_list";
    std::set<int> siblings = cpuList(contentOf(topology));
    siblings.insert(split.measuring);
    std::ranges::copy_if(allowed, std::back_inserter(split.builders), [&](int cpu) { return !siblings.contains(cpu); });
    split.clock = split.builders.empty() ? split.measuring : split.builders.back();
    if (split.builders.size() > 2)
        split.builders.pop_back();
    return split;
}

void leaveMeasuringCore()
{
    const CoreSplit split = splitCores();
    if (split.builders.empty())
        return;
    std::string all;
    for (const int cpu : allowedCpus())
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
        stayOn(allowedCpus());
}

} // namespace tilewright
