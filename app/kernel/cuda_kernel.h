// SPDX-License-Identifier: Apache-2.0
// An exported GPU program in the process of whoever uses it: NVRTC evaluates its plan for the dimensions of a call and
// compiles the kernels that the plan names, both with the node's options and once for each, and they are launched by
// the code that it was measured with, in the caller's context and on the caller's stream. Any thread; one call at a
// time.
#pragma once

#include "core/device/cuda.h"
#include "core/model/task/task.h"
#include "core/node/cuda_toolkit.h"
#include "core/worker/cuda/gpu_program.h"
#include "core/worker/cuda/nvrtc.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

class CudaKernel
{
public:
    /// The text of task.json, and of the program. Nothing is loaded yet.
    CudaKernel(std::string task, std::string program);

    /// What run() needs with these dimensions on the current context's device.
    /// Errors: kernel/no-context, those of Driver::load(), CudaToolkit::find(), Nvrtc::load() and readPlan(), build/….
    Result<std::uint64_t> workspaceBytes(const Shape& shape);

    /// Enqueues the plan's launches and returns. Addresses in the order of the task's tensors.
    /// Errors: as above, kernel/workspace, run/….
    Result<void> run(const Shape& shape, const std::vector<cu::Pointer>& tensors, cu::Pointer workspace,
        std::uint64_t workspaceBytes, cu::Stream stream);

private:
    /// What is there for one context and one list of dimensions.
    struct Ready {
        GpuPlan plan;
        GpuProgram* program = nullptr;
    };

    Result<void> load();
    Result<CudaFacts> facts() const;
    Result<const Ready*> ready(const Shape& shape);
    Result<GpuPlan> planFor(const Shape& shape, const CudaFacts& facts) const;
    Result<GpuProgram*> programFor(GpuPlan& plan, const Shape& shape, cu::Context context, const CudaFacts& facts);
    NvrtcResult compile(const std::string& text, std::vector<std::string> options, const std::set<std::string>& kernels,
        const CudaFacts& facts) const;

    const std::string m_taskText, m_program;
    std::mutex m_mutex;
    bool m_isLoaded = false;
    Task m_task;
    std::unique_ptr<cu::Driver> m_driver;
    std::unique_ptr<Nvrtc> m_nvrtc;
    std::map<std::string, std::string> m_headers; ///< that the program includes, or all of them
    cu::Code (*m_currentContext)(cu::Context*) = nullptr;
    cu::Code (*m_currentDevice)(cu::Device*) = nullptr;
    std::map<std::pair<cu::Context, Shape>, Ready> m_ready;
    struct Built {
        std::map<std::string, std::string> lowered;
        std::string cubin;
        std::unique_ptr<GpuProgram> program;
    };
    std::map<std::pair<cu::Context, std::set<std::string>>, Built> m_built;
};

} // namespace tilewright
