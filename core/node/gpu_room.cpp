// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/gpu_room.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/node/hot_ring.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::uint64_t driversOwn = 256ULL << 20; ///< at least, for a process that uses the GPU

std::uint64_t elementsOf(const Task& task, const Shape& shape)
{
    std::uint64_t elements = 0;
    for (const Tensor& tensor : task.tensors)
        elements += static_cast<std::uint64_t>(task.elementsOf(tensor, shape));
    return elements;
}

std::string gibibytes(std::uint64_t bytes)
{
    return fixedText(static_cast<double>(bytes) / static_cast<double>(1ULL << 30), 1) + " GiB";
}

} // namespace

std::uint64_t gpuRoomFor(const Task& task, const CudaFacts& facts)
{
    GpuProcessSetup setup;
    setup.facts = facts;
    setup.formats = gpuFormatsOf(task);
    setBuffers(setup, task);
    growForRings(setup, task);
    std::uint64_t bytes = setup.hiddenBytes + 2 * static_cast<std::uint64_t>(facts.l2Bytes);
    for (const std::uint64_t buffer : setup.bufferBytes)
        bytes += allocationOf(buffer) + bufferRoam;
    return bytes;
}

Result<void> checkRoom(const Task& task, const CudaFacts& facts)
{
    const std::uint64_t wanted = gpuRoomFor(task, facts), held = static_cast<std::uint64_t>(facts.memoryBytes);
    if (held == 0 || wanted + driversOwn <= held)
        return {};
    const Shape* largest = nullptr;
    for (const auto* list : {&task.train, &task.heldout, &task.verify})
        for (const Shape& shape : *list)
            if (!largest || elementsOf(task, shape) > elementsOf(task, *largest))
                largest = &shape;
    return fail("task/memory",
        "the task '" + task.name + "' needs " + gibibytes(wanted) + " of GPU memory for its data and their check, and "
            + facts.name + " has " + gibibytes(held),
        "take smaller shapes (the largest is " + (largest ? shapeText(*largest) : "none")
            + ") or a smaller limits.workspace_bytes, or a GPU with more memory",
        {{"bytes", wanted}, {"has", held}});
}

} // namespace tilewright
