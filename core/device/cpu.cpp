// SPDX-License-Identifier: Apache-2.0
#include "core/device/cpu.h"

#include "core/base/text.h"
#include "core/device/core_split.h"
#include "core/device/cpu_quota.h"

#include <algorithm>
#include <cstddef>
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

namespace {

/// Models from first to last of one family.
struct Models {
    int family, first, last;
    const char* name;
};

constexpr Models amd[] = {
    {0x17, 0x00, 0x2f, "Zen or Zen+"},
    {0x17, 0x50, 0x5f, "Zen or Zen+"},
    {0x17, 0x30, 0x4f, "Zen 2"},
    {0x17, 0x60, 0xaf, "Zen 2"},
    {0x19, 0x00, 0x0f, "Zen 3"},
    {0x19, 0x10, 0x1f, "Zen 4"},
    {0x19, 0x20, 0x5f, "Zen 3"},
    {0x19, 0x60, 0xaf, "Zen 4"},
    {0x1a, 0x00, 0x2f, "Zen 5"},
    {0x1a, 0x40, 0x4f, "Zen 5"},
    {0x1a, 0x60, 0x7f, "Zen 5"},
};

constexpr Models intel[] = {
    {6, 0x3c, 0x3c, "Haswell"},
    {6, 0x3d, 0x3d, "Broadwell"},
    {6, 0x3f, 0x3f, "Haswell"},
    {6, 0x45, 0x46, "Haswell"},
    {6, 0x47, 0x47, "Broadwell"},
    {6, 0x4e, 0x4e, "Skylake"},
    {6, 0x4f, 0x4f, "Broadwell"},
    {6, 0x55, 0x55, "Skylake, Cascade Lake or Cooper Lake (server)"},
    {6, 0x56, 0x56, "Broadwell"},
    {6, 0x5e, 0x5e, "Skylake"},
    {6, 0x6a, 0x6a, "Ice Lake (server)"},
    {6, 0x6c, 0x6c, "Ice Lake (server)"},
    {6, 0x7d, 0x7e, "Ice Lake"},
    {6, 0x8c, 0x8d, "Tiger Lake"},
    {6, 0x8e, 0x8e, "Kaby Lake or one of its successors"},
    {6, 0x8f, 0x8f, "Sapphire Rapids"},
    {6, 0x97, 0x97, "Alder Lake"},
    {6, 0x9a, 0x9a, "Alder Lake"},
    {6, 0x9e, 0x9e, "Kaby Lake or one of its successors"},
    {6, 0xa5, 0xa6, "Comet Lake"},
    {6, 0xa7, 0xa7, "Rocket Lake"},
    {6, 0xaa, 0xaa, "Meteor Lake"},
    {6, 0xad, 0xae, "Granite Rapids"},
    {6, 0xb7, 0xb7, "Raptor Lake"},
    {6, 0xba, 0xba, "Raptor Lake"},
    {6, 0xbf, 0xbf, "Raptor Lake"},
    {6, 0xcf, 0xcf, "Emerald Rapids"},
};

template <std::size_t N> std::string nameIn(const Models (&known)[N], int family, int model)
{
    for (const Models& models : known)
        if (models.family == family && model >= models.first && model <= models.last)
            return models.name;
    return {};
}

} // namespace

std::string microarchitectureOf(const std::string& vendor, int family, int model)
{
    if (vendor == "AuthenticAMD")
        return nameIn(amd, family, model);
    return vendor == "GenuineIntel" ? nameIn(intel, family, model) : std::string();
}

CudaFacts h200Facts()
{
    CudaFacts facts;
    facts.name = "NVIDIA H200";
    facts.major = 9;
    facts.sms = 132;
    facts.l2Bytes = 60 << 20;
    facts.sharedPerBlock = 232448;
    facts.sharedPerSm = 233472;
    facts.reservedSharedPerBlock = 1024;
    facts.registersPerSm = 65536;
    facts.threadsPerSm = 2048;
    facts.blocksPerSm = 32;
    facts.clockKhz = 1980000;
    facts.memoryClockKhz = 3201000;
    facts.memoryBusBits = 6144;
    return facts;
}

} // namespace tilewright
