// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a GPU's memory a task takes, so that one that cannot fit is told apart from one that has to wait for
// other programs. Pure.
#pragma once

#include "core/node/gpu_process.h"

namespace tilewright {

/// Bytes that a worker allocates for it: buffers with their zones, hidden memory, what the cache is emptied with.
std::uint64_t gpuRoomFor(const Task& task, const CudaFacts& facts);
/// Errors: task/memory, with the largest shape, where the GPU has less than that and what its driver keeps.
Result<void> checkRoom(const Task& task, const CudaFacts& facts);

} // namespace tilewright
