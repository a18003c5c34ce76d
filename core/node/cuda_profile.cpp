// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's own tools say of a program that is confirmed or measured again: what they find ends it, their absence
// is told beside the result.
#include "core/node/cuda_timing.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

namespace tilewright {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mostAnnounced = 2; ///< shapes for the tool, beside those that nobody announced
constexpr auto askedForLimit = 120s, newBestLimit = 30s; ///< for ncu

ToolLaunch launchOn(const TaskPack& pack, const Shape& shape, const GpuPlan& plan)
{
    std::vector<std::uint64_t> bytes;
    const std::vector<std::int64_t> elements = elementCounts(pack.task, shape);
    for (std::size_t i = 0; i < elements.size(); ++i)
        bytes.push_back(static_cast<std::uint64_t>(elements[i]) * bytesOf(pack.task.tensors[i].dtype));
    bytes.push_back(plan.workspaceBytes);
    return {shape, std::move(bytes), plan};
}

/// A tool that could not look is told, and stops nothing.
Result<void> orTold(const Error& error, std::vector<std::string>& told)
{
    if (!error.code.starts_with("tool/"))
        return std::unexpected(error);
    told.push_back(error.line());
    return {};
}

} // namespace

std::vector<const CudaArtifact::ShapePlan*> plansForMemcheck(const Task& task, const CudaArtifact& program)
{
    std::vector<const CudaArtifact::ShapePlan*> looked, large;
    std::set<std::string> kernels;
    const auto look = [&](const CudaArtifact::ShapePlan* each) {
        looked.push_back(each);
        for (const GpuLaunch& launch : each->plan.launches)
            kernels.insert(launch.entry);
    };
    const auto planOf = [&](const Shape& shape) {
        const auto found = std::ranges::find(program.plans, shape, &CudaArtifact::ShapePlan::shape);
        return found == program.plans.end() ? nullptr : &*found;
    };
    for (std::size_t i = 0; i < task.verify.size() && i < mostAnnounced; ++i)
        if (const auto* each = planOf(task.verify[i]))
            look(each);
    for (const CudaArtifact::ShapePlan& each : program.plans)
        if (each.unannounced)
            look(&each);
    for (const Shape& shape : task.train)
        if (const auto* each = planOf(shape))
            large.push_back(each);
    const auto elements = [&](const CudaArtifact::ShapePlan* each) {
        const std::vector<std::int64_t> counts = elementCounts(task, each->shape);
        return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    };
    std::ranges::stable_sort(large, {}, elements);
    for (const CudaArtifact::ShapePlan* each : large)
        if (std::ranges::any_of(each->plan.launches, [&](const auto& one) { return !kernels.contains(one.entry); }))
            look(each);
    return looked;
}

GpuFormats gpuFormatsOf(const Task& task)
{
    GpuFormats formats{GpuElement::Fp32, GpuElement::Fp32, 0, 0, isProduct(task)};
    for (const Tensor& tensor : task.tensors) {
        const GpuElement element = tensor.dtype == Dtype::Bf16 ? GpuElement::Bf16
            : tensor.dtype == Dtype::Fp16                      ? GpuElement::Fp16
                                                               : GpuElement::Fp32;
        const bool input = tensor.role == TensorRole::Input;
        (input ? formats.in : formats.out) = element;
        ++(input ? formats.inputs : formats.outputs);
    }
    return formats;
}

std::vector<std::int64_t> elementCounts(const Task& task, const Shape& shape)
{
    std::vector<std::int64_t> counts;
    for (const Tensor& tensor : task.tensors)
        counts.push_back(task.elementsOf(tensor, shape));
    return counts;
}

ProductExtents extentsOnGpu(const Task& task, const Shape& shape)
{
    if (isProduct(task)) {
        const ProductShape extents = productShape(task, shape);
        return {extents.rows, extents.columns, extents.depth};
    }
    const auto output = std::ranges::find(task.tensors, TensorRole::Output, &Tensor::role);
    return {0, 0, output == task.tensors.end() ? 1 : outputShape(task, *output, shape).depth};
}

double slowestTruthMs(const Task& task, const Shape& shape)
{
    constexpr double msAnElement = 2e-3;
    double elements = 0;
    if (!isProduct(task))
        for (const std::int64_t count : elementCounts(task, shape))
            elements += static_cast<double>(count);
    return msAnElement * elements;
}

void CudaDevice::Timing::tellTools(nlohmann::json& environment) const
{
    for (const std::string& gate : toolsPassed)
        environment["rules_passed"].push_back(gate);
    std::vector<std::string> missed = notChecked;
    if (blocksUnread > 0)
        missed.push_back(
            "unknown whether temperature or the power supply slowed the GPU down: NVML did not report it in "
            + std::to_string(blocksUnread) + " of " + std::to_string(blocksTaken) + " blocks");
    if (!missed.empty())
        environment["not_checked"] = missed;
    if (judgedLent + judgedCarried > 0)
        environment["judged_outside"] = {{"by_ipc", judgedLent}, {"by_bytes", judgedCarried}};
    if (!counters.is_null())
        environment["counters"] = counters;
    if (!energy.is_null())
        environment["energy"] = energy;
    if (!countersMissing.empty())
        environment["counters_missing"] = countersMissing;
}

Result<void> CudaDevice::memcheck(Timing& timing)
{
    if (timing.isFoundClean())
        return {};
    const auto program = m_builder.artifact(timing.request.candidate);
    if (!program)
        return std::unexpected(program.error());
    std::vector<ToolLaunch> launches;
    for (const CudaArtifact::ShapePlan* each : plansForMemcheck(timing.task, **program))
        launches.push_back(launchOn(timing.pack, each->shape, each->plan));
    if (launches.empty())
        return {};
    timing.job.progress("memcheck", 0, 1);
    const auto clean = m_tools.memcheck(**program, gpuFormatsOf(timing.task), launches, timing.job.cancelled);
    if (!clean)
        return orTold(clean.error(), timing.notChecked);
    timing.toolsPassed.emplace_back(Timing::foundClean);
    return {};
}

Result<nlohmann::json> CudaDevice::countersOf(Timing& timing, std::chrono::seconds limit)
{
    const auto program = m_builder.artifact(timing.request.candidate);
    if (!program)
        return std::unexpected(program.error());
    const Shape& shape = timing.task.train.front();
    const GpuPlan* plan = (*program)->planFor(shape);
    if (!plan)
        return nullptr;
    timing.job.progress("counters", 0, 1);
    const auto read = [&](std::vector<std::string> names) {
        return m_tools.counters(**program, gpuFormatsOf(timing.task), launchOn(timing.pack, shape, *plan),
            {std::move(names), limit}, timing.job.cancelled);
    };
    auto counted = read(m_countsCommonOnly ? commonCounterNames() : counterNamesOf(m_facts.major));
    if (!counted && counted.error().code == "tool/output" && !m_countsCommonOnly) {
        auto common = read(commonCounterNames());
        m_countsCommonOnly = common.has_value();
        counted = std::move(common);
    }
    if (!counted)
        return std::unexpected(counted.error());
    nlohmann::json list = nlohmann::json::array();
    for (const LaunchCounters& launch : *counted)
        list.push_back(launch.json());
    return nlohmann::json{{"shape", shape}, {"launches", list}};
}

Result<void> CudaDevice::count(Timing& timing)
{
    auto counted = countersOf(timing, askedForLimit);
    if (!counted)
        return orTold(counted.error(), timing.notChecked);
    timing.counters = std::move(*counted);
    return {};
}

void CudaDevice::countNewBest(Timing& timing)
{
    const auto start = std::chrono::steady_clock::now();
    if (!m_countingTurns.isDue(start - m_opened))
        return;
    auto counted = countersOf(timing, newBestLimit);
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
    m_countingTurns.spent(taken);
    timing.spentNs["counters"] += static_cast<double>(taken.count());
    if (counted) {
        m_countingTurns.succeeded();
        timing.counters = std::move(*counted);
    } else if (counted.error().code.starts_with("tool/")) {
        timing.countersMissing = m_countingTurns.failed(counted.error()).value_or("");
    }
}

} // namespace tilewright
