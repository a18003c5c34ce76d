// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/gpu_loop_mix.h"

#include "core/base/json_members.h"
#include "core/base/text.h"

#include <charconv>
#include <ranges>

namespace tilewright {

/// {"128": 4}.
template <> struct JsonForm<AccessWidths> {
    static nlohmann::json write(const AccessWidths& widths)
    {
        nlohmann::json json = nlohmann::json::object();
        for (const auto& [bits, count] : widths)
            json[std::to_string(bits)] = count;
        return json;
    }
    static AccessWidths read(const nlohmann::json& json)
    {
        AccessWidths widths;
        for (const auto& [text, count] : json.items()) {
            int bits = 0;
            std::from_chars(text.data(), text.data() + text.size(), bits);
            widths[bits] = count.get<int>();
        }
        return widths;
    }
};

template <> struct JsonMembers<GpuLoopMix> {
    static constexpr std::tuple list{always("kernel", &GpuLoopMix::kernel), always("is_loop", &GpuLoopMix::isLoop),
        always("instructions", &GpuLoopMix::instructions), always("fused", &GpuLoopMix::fused),
        always("arithmetic", &GpuLoopMix::arithmetic), rare("special", &GpuLoopMix::special),
        rare("tensor", &GpuLoopMix::tensor), rare("tensor_kind", &GpuLoopMix::tensorKind),
        rare("global_loads", &GpuLoopMix::globalLoads), rare("global_stores", &GpuLoopMix::globalStores),
        rare("shared_loads", &GpuLoopMix::sharedLoads), rare("shared_stores", &GpuLoopMix::sharedStores),
        rare("async_copies", &GpuLoopMix::asyncCopies), rare("bulk_copies", &GpuLoopMix::bulkCopies),
        rare("atomics", &GpuLoopMix::atomics), rare("shuffles", &GpuLoopMix::shuffles),
        rare("barriers", &GpuLoopMix::barriers), rare("waits", &GpuLoopMix::waits),
        rare("spill_stores", &GpuLoopMix::spillStores), rare("spill_loads", &GpuLoopMix::spillLoads)};
};

nlohmann::json GpuLoopMix::json() const { return jsonOf(*this); }

std::optional<GpuLoopMix> GpuLoopMix::fromJson(const nlohmann::json& json)
{
    if (!json.is_object())
        return std::nullopt;
    try {
        return tilewright::fromJson<GpuLoopMix>(json);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

namespace {

constexpr int widest = 128; ///< bits that one load of a thread moves on every GPU; the newest have 256 as well

int countOf(const AccessWidths& widths)
{
    int count = 0;
    for (const int each : widths | std::views::values)
        count += each;
    return count;
}

/// "8 loads from global memory (32 bits)", "3 loads … (2 of 128, 1 of 32 bits)".
std::string accessWords(const AccessWidths& widths, const char* one, const char* many)
{
    std::vector<std::string> parts;
    for (const auto& [bits, count] : widths | std::views::reverse)
        parts.push_back(
            widths.size() == 1 ? std::to_string(bits) : std::to_string(count) + " of " + std::to_string(bits));
    return counted(countOf(widths), one, many) + " (" + joined(parts, ", ") + " bits)";
}

/// "HMMA" of "HMMA.16816.F32.BF16".
std::string familyOf(const std::string& tensorKind) { return tensorKind.substr(0, tensorKind.find('.')); }

bool isOfWarpgroup(const std::string& family) { return family.ends_with("GMMA") || family.starts_with("UTC"); }

std::string spillWords(const GpuLoopMix& mix)
{
    return counted(mix.spillStores, "store", "stores") + " and " + counted(mix.spillLoads, "load", "loads");
}

/// "The hot loop", or what there is in its place.
std::string placeOf(const GpuLoopMix& mix) { return mix.isLoop ? "The hot loop" : "The code"; }
std::string turnOf(const GpuLoopMix& mix) { return mix.isLoop ? " per iteration" : ""; }

void findNarrow(const GpuLoopMix& mix, const AccessWidths& widths, const char* what, std::vector<std::string>& findings)
{
    int bits = 0, count = 0;
    for (const auto& [width, each] : widths)
        if (width < widest) {
            bits += width * each;
            count += each;
        }
    const int enough = (bits + widest - 1) / widest;
    if (bits >= widest && enough < count)
        findings.push_back(placeOf(mix) + " moves " + std::to_string(bits) + " bits" + turnOf(mix) + " with "
            + std::to_string(count) + " " + what + " of fewer than " + std::to_string(widest)
            + " bits: " + counted(enough, "access", "accesses") + " of " + std::to_string(widest)
            + " bits would do where a thread's numbers are neighbours (float4).");
}

void findWaiting(const GpuLoopMix& mix, const GpuLoopLimits& limits, std::vector<std::string>& findings)
{
    const int accesses = accessesOf(mix), work = mix.fused + mix.arithmetic;
    if (mix.isLoop && limits.multiplyAddsAnAccess > 0 && work > 0 && mix.tensor == 0
        && accesses * limits.multiplyAddsAnAccess > work)
        findings.push_back("The hot loop is bound by its accesses to memory: " + std::to_string(accesses)
            + " per iteration for " + counted(work, "operation", "operations") + ", where a multiprocessor starts "
            + std::to_string(limits.multiplyAddsAnAccess)
            + " operations for each. Wider accesses, or a larger tile in registers, use each more often.");
    constexpr int fewABarrier = 32;
    if (mix.isLoop && mix.barriers > 0 && mix.tensor == 0 && mix.fused > 0 && mix.fused < fewABarrier * mix.barriers)
        findings.push_back("The hot loop has " + counted(mix.barriers, "barrier", "barriers") + " for "
            + counted(mix.fused, "multiply-add", "multiply-adds")
            + " of a thread per iteration: a deeper or larger tile has more work between two barriers.");
    if (mix.shuffles > 0 && mix.tensor == 0 && mix.shuffles * 4 >= work)
        findings.push_back(placeOf(mix) + " exchanges numbers between lanes " + counted(mix.shuffles, "time", "times")
            + turnOf(mix) + " beside " + counted(work, "operation", "operations")
            + ": summing in registers first, and between lanes once at the end, would save that.");
}

void findTensorCores(const GpuLoopMix& mix, const GpuLoopLimits& limits, std::vector<std::string>& findings)
{
    if (limits.tensorFormat.empty())
        return;
    if (mix.tensor == 0 && mix.fused + mix.arithmetic > 0)
        findings.push_back("No instruction of the tensor cores, which multiply " + limits.tensorFormat
            + " on this device: " + counted(mix.fused + mix.arithmetic, "operation", "operations") + turnOf(mix)
            + " of the ordinary units do the work.");
    else if (mix.tensor > 0 && limits.hasWarpgroups && !isOfWarpgroup(familyOf(mix.tensorKind)))
        findings.push_back("The tensor cores are used by warps (" + familyOf(mix.tensorKind)
            + "); on this device a warpgroup's instruction (wgmma, HGMMA) does more and reads shared memory itself.");
}

} // namespace

std::int64_t workOf(const GpuLoopMix& mix)
{
    constexpr int ofWarp = 64, ofWarpgroup = 512; // multiply-adds of a thread: 16×8×16 of a warp, 64×64×16 of four
    return std::int64_t(2) * mix.fused + mix.arithmetic + mix.special
        + std::int64_t(2) * mix.tensor * (isOfWarpgroup(familyOf(mix.tensorKind)) ? ofWarpgroup : ofWarp);
}

int accessesOf(const GpuLoopMix& mix)
{
    return countOf(mix.globalLoads) + countOf(mix.globalStores) + countOf(mix.sharedLoads) + countOf(mix.sharedStores)
        + countOf(mix.asyncCopies) + mix.atomics + mix.spillStores + mix.spillLoads;
}

std::string loopWords(const GpuLoopMix& mix)
{
    std::vector<std::string> parts;
    const auto add = [&](int count, const char* one, const char* many) {
        if (count > 0)
            parts.push_back(counted(count, one, many));
    };
    const auto addAccesses = [&](const AccessWidths& widths, const char* one, const char* many) {
        if (!widths.empty())
            parts.push_back(accessWords(widths, one, many));
    };
    if (mix.tensor > 0)
        parts.push_back(std::to_string(mix.tensor) + " " + mix.tensorKind + " of the tensor cores");
    add(mix.fused, "multiply-add", "multiply-adds");
    add(mix.arithmetic, "other operation", "other operations");
    add(mix.special, "special function", "special functions");
    addAccesses(mix.globalLoads, "load from global memory", "loads from global memory");
    addAccesses(mix.asyncCopies, "asynchronous copy", "asynchronous copies");
    add(mix.bulkCopies, "copy of the copy engine", "copies of the copy engine");
    addAccesses(mix.sharedLoads, "load from shared memory", "loads from shared memory");
    addAccesses(mix.sharedStores, "store to shared memory", "stores to shared memory");
    addAccesses(mix.globalStores, "store to global memory", "stores to global memory");
    add(mix.atomics, "atomic", "atomics");
    add(mix.shuffles, "shuffle", "shuffles");
    add(mix.barriers, "barrier", "barriers");
    add(mix.waits, "wait for copies or tensor cores", "waits for copies or tensor cores");
    if (mix.spillStores + mix.spillLoads > 0)
        parts.push_back(spillWords(mix) + " of local memory");
    if (parts.empty())
        parts.emplace_back("no arithmetic and no memory");
    return (mix.isLoop ? "hot loop of " + mix.kernel + ", per iteration: "
                       : "code of " + mix.kernel + ", without a loop: ")
        + joined(parts, ", ") + " in " + counted(mix.instructions, "instruction", "instructions");
}

std::vector<std::string> loopFindings(const GpuLoopMix& mix, const GpuLoopLimits& limits)
{
    std::vector<std::string> findings;
    if (mix.spillStores + mix.spillLoads > 0)
        findings.push_back(placeOf(mix) + " goes through local memory: " + spillWords(mix) + turnOf(mix)
            + ". Registers that do not suffice, or arrays with an index that is not known when compiled, are kept "
              "there: smaller tiles, or loops over them that are unrolled whole, keep them in registers.");
    findTensorCores(mix, limits, findings);
    findNarrow(mix, mix.globalLoads, "loads from global memory", findings);
    findNarrow(mix, mix.globalStores, "stores to global memory", findings);
    findWaiting(mix, limits, findings);
    return findings;
}

} // namespace tilewright
