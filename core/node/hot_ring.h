// SPDX-License-Identifier: GPL-3.0-or-later
// How many sets of buffers a sample's launches go round in the modes hot-rotating and graph, EVALUATION §4: so many
// that three times the L2 cache is touched between two uses of one. As each launch touches its own set, all of them
// together take far longer than two events are apart. Beside these sets as many again by half are filled and left
// alone: which ones the worker draws for each sample, so that nobody can do the work of a launch ahead of it. Pure.
#pragma once

#include "core/node/gpu_process.h"

namespace tilewright {

struct HotRing {
    int launches = 1; ///< of one sample, on a set each
    int held = 0; ///< sets that no launch of it is on
};
/// One launch and no more where a sample is a cold one. Bytes that no ring can be made of (checkRings) give mostRing
/// sets.
HotRing ringOf(const Task& task, const Shape& shape, std::uint64_t l2Bytes);
/// Errors: task/ring, with a shape that is timed and whose data are too small to go round with.
Result<void> checkRings(const Task& task, std::uint64_t l2Bytes);
/// Room for the largest ring, in buffers that hold one set already; one workspace is for all of a ring.
void growForRings(GpuProcessSetup& setup, const Task& task);

/// How far apart the launches of one sample are: the shortest and the mean, each over the median.
struct LaunchSpread {
    double shortest = 1, mean = 1;
    /// Whether they can all have done the same work, which they had to. A launch that is disturbed looks the same.
    bool isUneven() const;
};
LaunchSpread launchSpread(const std::vector<double>& ns);
/// Of such launches, by their times in ns, of which there are some.
std::string unevenWords(const std::vector<double>& ns);

} // namespace tilewright
