// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/resource_figures.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/measurement/gpu_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
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
        if (const auto found = kernel.find("hot_loop"); found != kernel.end())
            if (auto loop = GpuLoopMix::fromJson(*found);
                loop && (!figures.gpuHotLoop || workOf(*loop) > workOf(*figures.gpuHotLoop)))
                figures.gpuHotLoop = std::move(loop);
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

namespace {

ResourceFigures figuresOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    const Evaluation* evaluation = candidate ? state.evaluation(candidate->latest) : nullptr;
    return evaluation ? resourceFigures(evaluation->result.resources) : ResourceFigures();
}

} // namespace

std::optional<LoopMix> hotLoopOf(const RunState& state, CandidateId id) { return figuresOf(state, id).hotLoop; }

std::string hotLoopWords(const ResourceFigures& figures)
{
    return figures.hotLoop   ? loopWords(*figures.hotLoop)
        : figures.gpuHotLoop ? loopWords(*figures.gpuHotLoop)
                             : std::string();
}

std::string hotLoopWordsOf(const RunState& state, CandidateId id) { return hotLoopWords(figuresOf(state, id)); }

int hotLoopSpills(const RunState& state, CandidateId id)
{
    const ResourceFigures figures = figuresOf(state, id);
    return figures.hotLoop ? figures.hotLoop->spillStores : figures.gpuHotLoop ? figures.gpuHotLoop->spillStores : 0;
}

GpuLoopLimits gpuLoopLimits(const nlohmann::json& facts, const Task& task)
{
    GpuLoopLimits limits;
    if (!facts.is_object())
        return limits;
    const auto number = [&](const std::string& key) { return numberAt<double>(facts, key.c_str()).value_or(0); };
    const double plain = number("fp32_flops_per_s"), clocks = number("sms") * number("clock_mhz") * 1e6;
    constexpr int lanesOfWarp = 32, operationsOfMultiplyAdd = 2;
    if (clocks > 0)
        limits.multiplyAddsAnAccess
            = static_cast<int>(std::lround(plain / clocks / operationsOfMultiplyAdd / lanesOfWarp));
    const bool isProduct = task.numeric.bound == NumericBound::Product && !task.tensors.empty();
    const Dtype format = isProduct ? task.tensors.front().dtype : Dtype::Fp32;
    if ((format == Dtype::Bf16 || format == Dtype::Fp16) && number("bf16_flops_per_s") > plain) // both at one rate
        limits.tensorFormat = nameOf(format);
    limits.hasWarpgroups = textAt(facts, "arch") == "sm_90a";
    return limits;
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
constexpr std::array<Counter, 14> counters{{
    {"gpu__time_duration.sum", "on the GPU"},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "of the multiprocessors' peak"},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "of the memory's bandwidth"},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", "of the peak of L1 and shared memory"},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "of the L2 cache's peak"},
    {"dram__bytes.sum", "moved to and from memory"},
    {"lts__t_sector_hit_rate.pct", "hits in the L2 cache"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "of the warps that fit are active"},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "of the cycles issue an instruction"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "passes through shared memory for bank conflicts"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "passes through shared memory"},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "of the data loaded from global memory used"},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", "bank conflicts in L1 and shared memory"},
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
            if (const std::string name = counter.value("name", ""); !isStallCounter(name))
                told.push_back(counterWords(name, counter.value("value", 0.0), counter.value("unit", "")));
        lines.push_back(launch.value("kernel", "a kernel") + ": " + joined(told, ", "));
    }
    return lines;
}

const Evaluation* countedEvaluationOf(const RunState& state, CandidateId candidate)
{
    for (std::size_t i = state.evaluations.size(); i > 0; --i) {
        const Evaluation& evaluation = state.evaluations[i - 1];
        if (evaluation.candidate != candidate || !evaluation.result.environment.is_object()
            || !evaluation.result.environment.contains("counters"))
            continue;
        const Rerun* rerun = rerunOf(state, evaluation.id);
        if (!rerun || rerun->isAsUsual())
            return &evaluation;
    }
    return nullptr;
}

nlohmann::json countersOf(const RunState& state, CandidateId candidate)
{
    const Evaluation* counted = countedEvaluationOf(state, candidate);
    return counted ? counted->result.environment.at("counters") : nlohmann::json();
}

std::optional<double> countersWantedAbove(const RunState& state, CandidateId id, Purpose purpose)
{
    if (countedEvaluationOf(state, id))
        return std::nullopt;
    const Candidate* candidate = state.candidate(id);
    const Island* island = candidate ? state.island(candidate->island) : nullptr;
    const Candidate* best = island ? state.candidate(island->best) : nullptr;
    return purpose == Purpose::Screen && best && best->score ? best->score->value : 0.0;
}

} // namespace tilewright
