// SPDX-License-Identifier: GPL-3.0-or-later
// How many sets of buffers a sample's launches go round in the modes hot-rotating and graph, EVALUATION §4: so many
// that three times the L2 cache is touched between two uses of one. As each launch touches its own set, all of them
// together take far longer than two events are apart. Pure. No task may ask for
// these modes yet, see task_json.cpp.
#pragma once

#include "core/node/gpu_process.h"

namespace tilewright {

/// 1 where a sample is one cold launch. Bytes that no ring can be made of (checkRings) give mostRing.
int ringOf(const Task& task, const Shape& shape, std::uint64_t l2Bytes);
/// Errors: task/ring, with a shape that is timed and whose data are too small to go round with.
Result<void> checkRings(const Task& task, std::uint64_t l2Bytes);
/// Room for the largest ring, in buffers that hold one set already.
void growForRings(GpuProcessSetup& setup, const Task& task);

} // namespace tilewright
