// SPDX-License-Identifier: Apache-2.0
// The sizes that a GPU program is tried on before it is confirmed: every residue of every dimension, sizes that its own
// constants suggest, and pairs of residues. Plans for them are evaluated, and instances that only they need are built,
// on other cores while the program is timed; then each size is one small launch, many of them in one go.
#pragma once

#include "core/node/cuda_device.h"
#include "core/node/shape_sweep.h"

#include <future>

namespace tilewright {

/// Most that a launch of a sweep may cost here. An operation that is no product is checked by the task's reference,
/// which may be one thread's.
SweepCaps gpuSweepCaps(const Task& task);

struct CudaDevice::Sweep {
    using Clock = std::chrono::steady_clock;

    ~Sweep()
    {
        isUnwanted = true;
        if (planned.valid()) // what is still being built ends soon, and uses what goes here
            planned.wait();
    }

    Clock::time_point begun = Clock::now();
    Clock::duration spent{};
    std::vector<Shape> residues, suggested, pairs; ///< each shape once
    std::vector<Shape> named, large; ///< run with the residues
    std::size_t suggestedRun = 0, pairsRun = 0;
    bool hasRun = false; ///< what is run whatever it takes
    std::optional<CudaArtifact> program; ///< the candidate with plans for all of them
    std::atomic<bool> isUnwanted = false;
    std::future<Result<CudaArtifact>> planned;
};

} // namespace tilewright
