// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu.h"

#include "core/base/text.h"
#include "core/device/core_split.h"
#include "core/device/microarchitecture.h"
#include "core/device/system_files.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <unistd.h>

namespace tilewright {
namespace {

std::int64_t cacheBytes(int core, int level, const char* type)
{
    for (int index = 0; index < 8; ++index) {
        const std::string folder
            = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/cache/index" + std::to_string(index) + "/";
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
    facts.cores = static_cast<int>(allowedCores().size());
    const int core = splitCores().measuring; // an efficiency core has other caches
    facts.l1dBytes = cacheBytes(core, 1, "Data");
    facts.l2Bytes = cacheBytes(core, 2, "Unified");
    facts.l3Bytes = cacheBytes(core, 3, "Unified");
    facts.memoryBytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    return facts;
}

} // namespace tilewright
