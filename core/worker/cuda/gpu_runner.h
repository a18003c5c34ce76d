// SPDX-License-Identifier: Apache-2.0
// Private to GpuBench: one contestant of a block.
#pragma once

#include "core/worker/cuda/driver.h"
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <numeric>

namespace tilewright {

struct GpuBench::Runner {
    /// Fills `drawn` with sets for so many launches, and `held` with the others.
    void draw(std::size_t launches, std::uint64_t sampleSeed);

    std::string slot;
    GpuProgram* program = nullptr; ///< null: the vendor
    bool reloadAlways = false;
    const GpuPlan* plan = nullptr;
    std::vector<BoundBuffers> sets; ///< as many as the block's ring has, and those that are held back
    std::vector<FilledSet> drawn; ///< those that the sample launches on, in its order
    std::vector<FilledSet> held; ///< the others
    std::unique_ptr<CapturedGraph> graph; ///< of the sample's launches; null: they are queued one by one
};

// One GPU among those that the driver knows.

/// "GPU-…", as nvidia-smi writes it.
std::string gpuUuid(const cu::Driver& driver, cu::Device device);
/// Errors: device/lost.
Result<cu::Device> gpuNamed(const cu::Driver& driver, const std::string& uuid);
/// Makes its primary context the current one.
Result<void> enterGpu(const cu::Driver& driver, cu::Device device);

} // namespace tilewright
