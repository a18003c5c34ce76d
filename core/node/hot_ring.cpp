// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/hot_ring.h"

#include <algorithm>

namespace tilewright {
namespace {

std::vector<std::uint64_t> tensorBytes(const Task& task, const Shape& shape)
{
    std::vector<std::uint64_t> bytes;
    for (const Tensor& tensor : task.tensors)
        bytes.push_back(static_cast<std::uint64_t>(task.elementsOf(tensor, shape)) * bytesOf(tensor.dtype));
    return bytes;
}

/// Sets of which all but one are three times the cache.
std::uint64_t wantedRing(const Task& task, const Shape& shape, std::uint64_t l2Bytes)
{
    std::uint64_t touched = 0;
    for (const std::uint64_t bytes : tensorBytes(task, shape))
        touched += bytes;
    return 1 + (ringOverL2 * l2Bytes + touched - 1) / std::max<std::uint64_t>(1, touched);
}

std::vector<Shape> timedShapes(const Task& task)
{
    std::vector<Shape> shapes = task.train;
    shapes.insert(shapes.end(), task.heldout.begin(), task.heldout.end());
    return shapes;
}

} // namespace

int ringOf(const Task& task, const Shape& shape, std::uint64_t l2Bytes)
{
    if (task.timingMode == "cold")
        return 1;
    return static_cast<int>(std::min<std::uint64_t>(mostRing, wantedRing(task, shape, l2Bytes)));
}

Result<void> checkRings(const Task& task, std::uint64_t l2Bytes)
{
    if (task.timingMode != "cold")
        for (const Shape& shape : timedShapes(task))
            if (const std::uint64_t wanted = wantedRing(task, shape, l2Bytes); wanted > mostRing)
                return fail("task/ring",
                    "the mode " + task.timingMode + " cannot time " + shapeText(shape)
                        + ": launches would have to go round " + std::to_string(wanted)
                        + " sets of its data before three times this GPU's L2 cache was touched, and "
                        + std::to_string(mostRing) + " are possible",
                    "take larger shapes, or the mode cold", {{"shape", shape}, {"sets", wanted}, {"most", mostRing}});
    return {};
}

void growForRings(GpuProcessSetup& setup, const Task& task)
{
    if (task.timingMode == "cold")
        return;
    const std::uint64_t workspace = setup.bufferBytes.back();
    for (const Shape& shape : timedShapes(task)) {
        const auto ring = static_cast<std::uint64_t>(ringOf(task, shape, setup.facts.l2Bytes));
        std::vector<std::uint64_t> bytes = tensorBytes(task, shape);
        bytes.push_back(workspace);
        for (std::size_t i = 0; i < setup.bufferBytes.size() && i < bytes.size(); ++i)
            setup.bufferBytes[i] = std::max(setup.bufferBytes[i], ring * roomOf(bytes[i]));
    }
}

} // namespace tilewright
