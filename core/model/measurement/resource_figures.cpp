// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/resource_figures.h"
#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tilewright {
namespace {

template <typename T> std::optional<T> numberAt(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<T>()) : std::nullopt;
}

std::string textAt(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Room that a kernel leaves: least first.
auto roomOf(const nlohmann::json& kernel)
{
    return std::tuple(numberAt<double>(kernel, "occupancy").value_or(1),
        -numberAt<std::int64_t>(kernel, "registers").value_or(0),
        -numberAt<std::int64_t>(kernel, "shared_bytes").value_or(0));
}

void addKernels(ResourceFigures& figures, const nlohmann::json& kernels)
{
    const nlohmann::json* tightest = nullptr;
    std::int64_t code = 0;
    for (const nlohmann::json& kernel : kernels) {
        if (!kernel.is_object())
            continue;
        ++figures.kernels;
        code += numberAt<std::int64_t>(kernel, "code_bytes").value_or(0);
        if (!tightest || roomOf(kernel) < roomOf(*tightest))
            tightest = &kernel;
    }
    if (!tightest)
        return;
    figures.machineCodeBytes = code;
    figures.registers = numberAt<std::int64_t>(*tightest, "registers");
    figures.sharedBytes = numberAt<std::int64_t>(*tightest, "shared_bytes");
    figures.occupancy = numberAt<double>(*tightest, "occupancy");
    figures.kernel = textAt(*tightest, "kernel");
    figures.threads = numberAt<int>(*tightest, "threads").value_or(0);
    figures.blocks = numberAt<int>(*tightest, "blocks_per_sm").value_or(0);
    figures.limitedBy = textAt(*tightest, "limited_by");
}

} // namespace

ResourceLimits resourceLimits(const nlohmann::json& deviceFacts)
{
    if (!deviceFacts.is_object())
        return {};
    return {numberAt<std::int64_t>(deviceFacts, "shared_per_block_bytes"),
        numberAt<std::int64_t>(deviceFacts, "registers_per_sm")};
}

std::optional<LoopMix> hotLoopOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    const Evaluation* evaluation = candidate ? state.evaluation(candidate->latest) : nullptr;
    return evaluation ? resourceFigures(evaluation->result.resources).hotLoop : std::nullopt;
}

ResourceFigures resourceFigures(const nlohmann::json& resources)
{
    ResourceFigures figures;
    if (!resources.is_object())
        return figures;
    figures.sourceBytes = numberAt<std::int64_t>(resources, "code_bytes");
    figures.machineCodeBytes = numberAt<std::int64_t>(resources, "text_bytes");
    figures.constantBytes = numberAt<std::int64_t>(resources, "rodata_bytes");
    if (const auto loop = resources.find("hot_loop"); loop != resources.end())
        figures.hotLoop = LoopMix::fromJson(*loop);
    figures.registers = numberAt<std::int64_t>(resources, "registers");
    figures.spillBytes = numberAt<std::int64_t>(resources, "spill_bytes");
    if (const auto kernels = resources.find("kernels"); kernels != resources.end() && kernels->is_array())
        addKernels(figures, *kernels);
    return figures;
}

namespace {

struct Counter {
    std::string_view name, words; ///< "of its peak": its value is in per cent
};
constexpr std::array<Counter, 9> counters{{
    {"gpu__time_duration.sum", "on the GPU"},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "of the multiprocessors' peak"},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "of the memory's bandwidth"},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", "of the peak of L1 and shared memory"},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "of the L2 cache's peak"},
    {"dram__bytes.sum", "moved to and from memory"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "of the warps that fit at work"},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", "bank conflicts in shared memory"},
    {"sm__inst_executed.sum", "instructions"},
}};

/// In the unit that a user would choose.
std::string figure(double value, const std::string& unit)
{
    if (unit == "ns" && value >= 1000)
        return fixedText(value / 1000, 1) + " µs";
    static constexpr std::array<std::pair<std::string_view, double>, 3> steps{{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}};
    if (unit == "byte")
        for (const auto& [name, size] : steps)
            if (value >= size)
                return fixedText(value / size, 1) + " " + std::string(name);
    if (unit == "%")
        return fixedText(value, 0) + " %";
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
        {{"Gbyte", "GB"}, {"Mbyte", "MB"}, {"Kbyte", "kB"}}};
    const auto other = std::ranges::find(others, unit, &std::pair<std::string_view, std::string_view>::first);
    if (unit == "inst" || unit.empty())
        return generalText(value);
    return generalText(value) + " " + (other == others.end() ? unit : std::string(other->second));
}

} // namespace

std::string counterWords(const std::string& name, double value, const std::string& unit)
{
    const auto known = std::ranges::find(counters, name, &Counter::name);
    return figure(value, unit) + ' ' + (known == counters.end() ? name : std::string(known->words));
}

std::vector<std::string> profileLines(const nlohmann::json& profile)
{
    std::vector<std::string> lines;
    if (!profile.is_object())
        return lines;
    for (const nlohmann::json& launch : profile.value("launches", nlohmann::json::array())) {
        if (!launch.is_object())
            continue;
        std::vector<std::string> told;
        for (const nlohmann::json& counter : launch.value("counters", nlohmann::json::array()))
            told.push_back(
                counterWords(counter.value("name", ""), counter.value("value", 0.0), counter.value("unit", "")));
        lines.push_back(launch.value("kernel", "a kernel") + ": " + joined(told, ", "));
    }
    return lines;
}

nlohmann::json countersOf(const RunState& state, CandidateId candidate)
{
    for (auto rerun = state.reruns.rbegin(); rerun != state.reruns.rend(); ++rerun) {
        const Evaluation* evaluation = rerun->candidate == candidate ? state.evaluation(rerun->evaluation) : nullptr;
        if (!evaluation || !evaluation->result.environment.is_object())
            continue;
        if (const auto found = evaluation->result.environment.find("counters");
            found != evaluation->result.environment.end())
            return *found;
    }
    return nullptr;
}

} // namespace tilewright
