// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/loop_mix.h"

#include "core/base/json_members.h"
#include "core/base/text.h"

namespace tilewright {

template <> struct JsonMembers<LoopMix> {
    static constexpr std::tuple list{always("function", &LoopMix::function),
        always("instructions", &LoopMix::instructions), always("fused", &LoopMix::fused),
        always("arithmetic", &LoopMix::arithmetic), always("chains", &LoopMix::chains),
        always("loads", &LoopMix::loads), always("broadcasts", &LoopMix::broadcasts),
        always("stores", &LoopMix::stores), always("shuffles", &LoopMix::shuffles),
        always("spill_stores", &LoopMix::spillStores), always("spill_loads", &LoopMix::spillLoads),
        always("bits", &LoopMix::bits)};
};

nlohmann::json LoopMix::json() const { return jsonOf(*this); }

std::optional<LoopMix> LoopMix::fromJson(const nlohmann::json& json)
{
    if (!json.is_object())
        return std::nullopt;
    try {
        return tilewright::fromJson<LoopMix>(json);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

namespace {

/// Two units, each with a result after four cycles: Zen 2 to 5, Skylake to Granite Rapids, Neoverse V1 and V2 have
/// these or more.
constexpr int units = 2, latency = 4, loadsACycle = 2;

std::string widthWords(const LoopMix& mix)
{
    return mix.bits > 0 ? " of " + std::to_string(mix.bits) + " bits" : " of single numbers";
}

std::string stackWords(const LoopMix& mix)
{
    return counted(mix.spillStores, "store", "stores") + " and " + counted(mix.spillLoads, "load", "loads");
}

} // namespace

std::string loopWords(const LoopMix& mix)
{
    std::vector<std::string> parts;
    const auto add = [&](int count, const char* one, const char* many) {
        if (count > 0)
            parts.push_back(counted(count, one, many));
    };
    if (mix.fused > 0)
        parts.push_back(counted(mix.fused, "multiply-add", "multiply-adds") + widthWords(mix));
    if (mix.arithmetic > 0)
        parts.push_back(
            counted(mix.arithmetic, "other operation", "other operations") + (mix.fused > 0 ? "" : widthWords(mix)));
    add(mix.loads, "load", "loads");
    add(mix.broadcasts, "broadcast", "broadcasts");
    add(mix.shuffles, "shuffle", "shuffles");
    add(mix.stores, "store", "stores");
    if (mix.spillStores + mix.spillLoads > 0)
        parts.push_back(stackWords(mix) + " of the stack");
    return "hot loop of " + mix.function + ", per iteration: " + joined(parts, ", ") + " in "
        + counted(mix.instructions, "instruction", "instructions");
}

std::vector<std::string> loopFindings(const LoopMix& mix, int deviceBits)
{
    std::vector<std::string> findings;
    const int work = mix.fused + mix.arithmetic;
    if (mix.spillStores > 0)
        findings.push_back("The hot loop keeps values on the stack: " + stackWords(mix) + " of it per iteration beside "
            + counted(work, "operation", "operations")
            + ". Sums belong in registers: fewer of them, fixed array bounds, a loop over them that is unrolled "
              "whole.");
    const int reads = mix.loads + mix.broadcasts + mix.spillLoads;
    if (work > 0 && reads * units > work * loadsACycle)
        findings.push_back("The hot loop is load-bound: " + std::to_string(reads) + " reads per iteration for "
            + counted(work, "operation", "operations") + ", where the core executes " + std::to_string(units)
            + " reads and as many operations per cycle. A larger tile in registers uses each number more often.");
    if (work > 0 && mix.chains > 0 && mix.chains < units * latency && mix.spillStores == 0)
        findings.push_back("The hot loop is latency-bound: its operations write " + std::to_string(mix.chains)
            + " different registers, and " + std::to_string(units) + " units with a latency of "
            + std::to_string(latency) + " cycles need " + std::to_string(units * latency)
            + " sums that do not wait for each other.");
    if (mix.shuffles > 0 && mix.shuffles * 4 >= work)
        findings.push_back("The hot loop moves numbers between lanes " + counted(mix.shuffles, "time", "times")
            + " per iteration beside " + counted(work, "operation", "operations")
            + ": another layout would save that.");
    if (deviceBits > 0 && mix.bits < deviceBits)
        findings.push_back("The hot loop uses "
            + (mix.bits > 0 ? "vectors of " + std::to_string(mix.bits) + " bits" : std::string("single numbers"))
            + "; the device has vectors of " + std::to_string(deviceBits) + ".");
    return findings;
}

} // namespace tilewright
