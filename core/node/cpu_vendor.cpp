// SPDX-License-Identifier: Apache-2.0
// Which OpenBLAS a CPU program is held against: the library chooses its kernels by a core type, and its own choice is
// not always the fastest that computes right on a processor (older versions choose a wrong one for newer processors).
#include "core/node/core_clock.h"
#include "core/node/cpu_timing.h"

#include <algorithm>
#include <sstream>

namespace tilewright {
namespace {

/// A core type of OpenBLAS and what a processor needs for it (features as CpuFacts names them). "" is its own choice.
struct CoreType {
    const char* name;
    std::vector<const char*> features;
};

const std::vector<CoreType>& coreTypes()
{
    static const std::vector<CoreType> types{{"", {}}, {"Haswell", {"avx2", "fma"}}, {"Zen", {"avx2", "fma"}},
        {"SkylakeX", {"avx512f", "avx512bw", "avx512vl"}},
        {"Cooperlake", {"avx512f", "avx512bw", "avx512vl", "avx512_bf16"}},
        {"SapphireRapids", {"avx512f", "avx512bw", "avx512vl", "avx512_bf16", "amx_tile"}}};
    return types;
}

constexpr int pairedBlocks = 7; // an odd number: the median is one of them
/// Of those that are as fast as the fastest within this, the one that uses most of the processor is taken: the choice
/// is then the same in every run.
constexpr double asFast = 0.03;

} // namespace

nlohmann::json describeVendor(const std::string& text, const nlohmann::json& tried)
{
    std::istringstream lines(text);
    std::string config, core, name, version;
    std::getline(lines, config);
    std::getline(lines, core);
    std::istringstream(config) >> name >> version;
    return {{"name", name.empty() ? "OpenBLAS" : name}, {"version", version}, {"core_type", core}, {"config", config},
        {"tried", tried}};
}

std::string CpuDevice::vendorObject(const TaskPack& pack, const Hash& task)
{
    const std::string plain = "vendor:" + pack.task.vendor;
    std::string& chosen = m_vendorObjects[pack.task.vendor];
    if (!chosen.empty())
        return chosen;
    const auto truth = reference(pack, task);
    if (!truth)
        return plain;
    const Shape shape
        = *std::ranges::max_element(pack.task.train, {}, [&](const Shape& each) { return pack.task.flopsOf(each); });
    CpuTimer timer(pack.task, **truth, m_cores.measuring, seedText("vendor")); // checks every launch
    struct Tried {
        std::string object;
        std::unique_ptr<Arena> arena;
        std::vector<double> ns; ///< by block
        std::size_t entry; ///< of m_vendorTried
    };
    std::vector<Tried> fit;
    m_vendorTried = nlohmann::json::array();
    for (const CoreType& type : coreTypes()) {
        const auto has = [&](const char* feature) {
            return std::ranges::find(m_facts.features, feature) != m_facts.features.end();
        };
        if (!std::ranges::all_of(type.features, has))
            continue;
        const std::string object = *type.name ? plain + "/" + type.name : plain;
        auto arena = Arena::start(m_sandbox, m_worker, object, pack.task, {shape}, m_cores, m_awake.get());
        Result<void> right = arena ? Result<void>() : std::unexpected(arena.error());
        if (std::vector<Contestant> alone{{"vendor", arena ? arena->get() : nullptr}}; right)
            if (const auto warm = timer.warmUp(shape, alone); !warm)
                right = std::unexpected(warm.error());
        m_vendorTried.push_back({{"core_type", *type.name ? type.name : "its own choice"}});
        if (right) {
            fit.push_back({object, std::move(*arena), {}, m_vendorTried.size() - 1});
            continue;
        }
        m_vendorTried.back()["rule"] = right.error().code;
        if (!right.error().code.starts_with("verify/") && !right.error().code.starts_with("run/"))
            return plain; // the machine's trouble: decided another time
    }
    // In turns within each block, so that what disturbs the machine disturbs all of them.
    std::vector<Contestant> all;
    for (const Tried& each : fit)
        all.push_back({"vendor", each.arena.get()});
    for (int i = 0; i < pairedBlocks && fit.size() > 1; ++i) {
        const auto block = timer.block(shape, all, 1);
        if (!block)
            return plain;
        for (std::size_t j = 0; j < fit.size(); ++j)
            fit[j].ns.push_back(block->medianNs[j]);
    }
    double least = 0;
    for (Tried& each : fit) {
        if (each.ns.empty())
            continue;
        std::ranges::nth_element(each.ns, each.ns.begin() + pairedBlocks / 2);
        const double median = each.ns[pairedBlocks / 2];
        m_vendorTried[each.entry]["ns"] = std::llround(median);
        least = least == 0 ? median : std::min(least, median);
    }
    for (const Tried& each : fit)
        if (each.ns.empty() || each.ns[pairedBlocks / 2] <= least * (1 + asFast))
            chosen = each.object;
    return chosen.empty() ? plain : chosen;
}

} // namespace tilewright
