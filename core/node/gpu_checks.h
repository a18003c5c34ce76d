// SPDX-License-Identifier: Apache-2.0
// What a GPU program is checked by: its launches, on which inputs, in which order, and which of them go together. Pure.
#pragma once

#include "core/node/gpu_process.h"
#include "core/node/problem.h"

namespace tilewright {

/// One launch that is verified.
struct CheckedLaunch {
    Shape shape;
    InputKind kind = InputKind::Normal;
    bool twice = false;
    bool isTimedLater = false; ///< on this shape: one of the two launches may begin as a timed one does
    bool isUnannounced = false; ///< the task does not list this shape
};

/// All launches of one check.
struct GpuChecks {
    std::vector<CheckedLaunch> launches;
    std::vector<GpuProcess::Verification> verifications;
    std::vector<std::size_t> firsts; ///< of each verification, its first launch
};

/// text: secret, drawn for this evaluation. all: held-out shapes as well, and every kind of inputs.
/// Errors: build/no-artifact.
Result<GpuChecks> checksOf(const Task& task, const CudaArtifact& artifact, const std::string& text, bool all);

/// One launch on each of these shapes, which are many and small: for a product on whole numbers, whose sums are exact
/// and show a single element that is left out. Small ones first. Errors: build/no-artifact.
Result<GpuChecks> sweepChecksOf(
    const Task& task, const CudaArtifact& artifact, const std::vector<Shape>& shapes, const std::string& text);

/// How many of the launches from this one on are verified in one go: of a product, as many as there is room for side by
/// side; of anything else, small ones.
std::size_t togetherFrom(const Task& task, const std::vector<VerifyRequest>& requests, std::size_t first);

/// Watchdog: what the slowest program that is waited for would take, five times over, and two seconds.
std::chrono::milliseconds launchLimit(const Task& task, const Shape& shape, int launches);

// How much of a GPU's memory a task takes, so that one that cannot fit is told apart from one that has to wait for
// other programs. Pure.

/// Bytes that a worker allocates for it: buffers with their zones, hidden memory, what the cache is emptied with.
std::uint64_t gpuRoomFor(const Task& task, const CudaFacts& facts);
/// Errors: task/memory, with the largest shape, where the GPU has less than that and what its driver keeps.
Result<void> checkRoom(const Task& task, const CudaFacts& facts);

} // namespace tilewright
