// SPDX-License-Identifier: Apache-2.0
// NVIDIA's tools around one program: compute-sanitizer's memcheck, and ncu's counters. Where they are installed, they
// run our worker in the GPU worker's sandbox, for a bounded time, on launches of its own, with buffers that end where
// the tensors end. Measuring thread only.
#pragma once

#include "core/device/cuda.h"
#include "core/node/cuda_builder.h"
#include "core/node/gpu_tool_output.h"

#include <chrono>

namespace tilewright {

/// The formats of a task that passed checkCanBeEvaluated().
GpuFormats gpuFormatsOf(const Task& task);
/// Elements of each tensor.
std::vector<std::int64_t> elementCounts(const Task& task, const Shape& shape);
/// Of a product, or of any other operation its depth alone.
ProductExtents extentsOnGpu(const Task& task, const Shape& shape);
/// What the slowest reference that is waited for takes, beside the program: one thread's plain loop over an operation's
/// elements. 0 for products, whose truth is quick.
double slowestTruthMs(const Task& task, const Shape& shape);

/// An element as it stands in memory: of fp16 the nearest, of bf16 the upper half of the float.
void appendElement(std::string& bytes, float value, Dtype type);
/// The task's reference for this GPU, if it defines the kernels that a worker calls. Errors: task/reference, build/….
Result<std::string> buildGpuReference(CudaBuilder& builder, const TaskPack& pack, const CudaFacts& facts);

/// One launch of a program under a tool.
struct ToolLaunch {
    Shape shape;
    std::vector<std::uint64_t> bytes; ///< of each tensor and the workspace, to the byte
    GpuPlan plan;
};

/// What memcheck looks at: small shapes that the task announces, those that nobody announced, and of each kernel that
/// runs on none of them the train shape with the fewest elements where it does.
std::vector<const CudaArtifact::ShapePlan*> plansForMemcheck(const Task& task, const CudaArtifact& program);

class GpuTools
{
public:
    GpuTools(const Sandbox& sandbox, std::filesystem::path worker, std::string uuid, StuckProcesses& stuck);

    /// Errors: verify/memcheck with what was found; tool/missing, tool/output, tool/timeout when it could not look;
    /// cancelled, machine/….
    Result<void> memcheck(const CudaArtifact& program, const GpuFormats& formats,
        const std::vector<ToolLaunch>& launches, const Cancelled& cancelled) const;
    struct CounterRequest {
        std::vector<std::string> names;
        std::chrono::seconds limit; ///< the tool may take so long
    };
    /// One entry for each kernel that the plan launches. Errors: tool/…, cancelled, machine/….
    Result<std::vector<LaunchCounters>> counters(const CudaArtifact& program, const GpuFormats& formats,
        const ToolLaunch& launch, const CounterRequest& wanted, const Cancelled& cancelled) const;

private:
    Result<RunResult> run(const std::filesystem::path& tool, const std::vector<std::string>& options,
        const CudaArtifact& program, const GpuFormats& formats, const std::vector<ToolLaunch>& launches,
        std::chrono::seconds limit, const Cancelled& cancelled) const;

    const Sandbox& m_sandbox;
    std::filesystem::path m_worker;
    std::string m_uuid;
    StuckProcesses& m_stuck;
};

} // namespace tilewright
