// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's tools around one program: compute-sanitizer's memcheck, and ncu's counters. Where they are installed, they
// run our worker in the GPU worker's sandbox, for a bounded time, on launches of its own, with buffers that end where
// the tensors end. Measuring thread only.
#pragma once

#include "core/device/cuda.h"
#include "core/node/cuda_builder.h"
#include "core/node/gpu_tool_output.h"

namespace tilewright {

/// The formats of a task that passed checkIsProduct().
GpuFormats gpuFormatsOf(const Task& task);

/// One launch of a program under a tool.
struct ToolLaunch {
    Shape shape;
    std::array<std::uint64_t, 4> bytes{}; ///< of A, B, C and the workspace, to the byte
    GpuPlan plan;
};

class GpuTools
{
public:
    GpuTools(const Sandbox& sandbox, std::filesystem::path worker, std::string uuid, StuckProcesses& stuck);

    /// Errors: verify/memcheck with what was found; tool/missing, tool/output, tool/timeout when it could not look;
    /// cancelled, machine/….
    Result<void> memcheck(const CudaArtifact& program, const GpuFormats& formats,
        const std::vector<ToolLaunch>& launches, const Cancelled& cancelled) const;
    /// One entry for each kernel that the plan launches. Errors: tool/…, cancelled, machine/….
    Result<std::vector<LaunchCounters>> counters(const CudaArtifact& program, const GpuFormats& formats,
        const ToolLaunch& launch, const Cancelled& cancelled) const;

private:
    Result<RunResult> run(const std::filesystem::path& tool, const std::vector<std::string>& options,
        const CudaArtifact& program, const GpuFormats& formats, const std::vector<ToolLaunch>& launches,
        const Cancelled& cancelled) const;

    const Sandbox& m_sandbox;
    std::filesystem::path m_worker;
    std::string m_uuid;
    StuckProcesses& m_stuck;
};

} // namespace tilewright
