// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_checks.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/node/block_field.h"
#include "core/node/checker.h"
#include "core/node/gpu_tools.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr int truthLaunches = 2; ///< a truth takes as long as two launches of the slowest program
constexpr auto smallLimit = std::chrono::seconds(6);
constexpr int smallPatience = 5; ///< times, with references that may be one thread's

constexpr auto grace = std::chrono::milliseconds(2000);

/// Five times what the slowest program that is waited for takes.
std::chrono::milliseconds slowest(const Task& task, const Shape& shape)
{
    constexpr double slowestFlops = 5e11;
    return std::chrono::milliseconds(static_cast<std::int64_t>(5e3 * task.flopsOf(shape) / slowestFlops));
}

std::chrono::milliseconds truthLimit(const Task& task, const Shape& shape)
{
    return truthLaunches * slowest(task, shape)
        + std::chrono::milliseconds(static_cast<std::int64_t>(slowestTruthMs(task, shape)));
}

/// Where an element's bound, which grows faster with the depth than honest sums do, lets parts of a sum pass that were
/// kept in half precision: whole numbers show them.
bool isDeep(const Task& task, const Shape& shape)
{
    constexpr std::int64_t depth = 1024;
    return isProduct(task) && task.tensors[2].dtype == Dtype::Bf16 && productShape(task, shape).depth > depth;
}

FillKind fillOf(InputKind kind) { return static_cast<FillKind>(kind); }
static_assert(static_cast<int>(FillKind::Integer) == static_cast<int>(InputKind::Integer));

std::vector<CheckedLaunch> launchesOf(const Task& task, const CudaArtifact& artifact, bool all, std::uint64_t seed)
{
    std::vector<CheckedLaunch> launches;
    // Small shapes first: most wrong programs fail there, in microseconds.
    for (const Shape& shape : task.verify)
        for (const InputKind kind : task.inputs)
            launches.push_back({shape, kind, kind == InputKind::Normal});
    for (const CudaArtifact::ShapePlan& plan : artifact.plans)
        if (plan.unannounced)
            for (const InputKind kind : {InputKind::Normal, InputKind::Integer})
                launches.push_back({plan.shape, kind, kind == InputKind::Normal, false, true});
    std::vector<Shape> large = task.train;
    if (all)
        large.insert(large.end(), task.heldout.begin(), task.heldout.end());
    for (std::size_t i = 0; i < large.size(); ++i) {
        launches.push_back({large[i], InputKind::Normal, true, true});
        // One of the other kinds, nobody can foresee which; all of them where it is to be thorough.
        if (all || i % 2 == seed % 2 || isDeep(task, large[i]))
            launches.push_back({large[i], InputKind::Integer, false});
        if (all)
            launches.push_back({large[i], seed / 4 % 2 == i % 2 ? InputKind::Scaled : InputKind::Mixed, false});
    }
    if (!isProduct(task)) // not every operation takes every kind: its pack says which
        std::erase_if(launches, [&](const CheckedLaunch& launch) {
            return std::ranges::find(task.inputs, launch.kind) == task.inputs.end();
        });
    return launches;
}

/// Elements of each tensor, inputs first.
std::vector<std::int64_t> elementsOf(const VerifyRequest& request)
{
    const ProductExtents& extents = request.extents;
    return request.elements.empty()
        ? std::vector{extents.rows * extents.depth, extents.depth * extents.columns, extents.rows * extents.columns}
        : request.elements;
}

bool isSmall(const VerifyRequest& request) { return std::ranges::max(elementsOf(request)) <= smallOneElements; }

std::chrono::milliseconds limitOf(const Task& task, const std::vector<VerifyRequest>& requests)
{
    const bool product = isProduct(task);
    if (requests.size() > 1 && isSmall(requests.front()))
        return (product ? 1 : smallPatience) * smallLimit;
    std::chrono::milliseconds limit{0};
    for (const VerifyRequest& request : requests)
        limit += launchLimit(task, request.dims, (request.twice ? 2 : 1) + truthLaunches);
    return limit;
}

} // namespace

std::chrono::milliseconds launchLimit(const Task& task, const Shape& shape, int launches)
{
    return grace + launches * slowest(task, shape)
        + std::chrono::milliseconds(static_cast<std::int64_t>(slowestTruthMs(task, shape)));
}

namespace {

/// What a worker allocates for the task; the same for all its batches.
GpuProcessSetup memoryOf(const Task& task)
{
    GpuProcessSetup memory;
    memory.formats = gpuFormatsOf(task);
    setBuffers(memory, task);
    return memory;
}

std::size_t togetherIn(
    const GpuProcessSetup& memory, const Task& task, const std::vector<VerifyRequest>& requests, std::size_t first)
{
    const bool product = isProduct(task), small = isSmall(requests[first]);
    std::vector<std::uint64_t> used(memory.bufferBytes.size());
    const auto fits = [&](const VerifyRequest& request) {
        std::vector<std::uint64_t> bytes;
        for (const std::int64_t elements : elementsOf(request)) // of A, B, C
            bytes.push_back(static_cast<std::uint64_t>(elements)
                * bytesOf(bytes.size() < 2 ? memory.formats.in : memory.formats.out));
        bytes.push_back(request.plan.workspaceBytes);
        bool all = true;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            all = (used[i] += roomOf(bytes[i])) <= allocationOf(memory.bufferBytes[i]) && all;
        return all;
    };
    std::size_t count = 0;
    while (count < mostTogether && first + count < requests.size() && isSmall(requests[first + count]) == small
        && (product ? fits(requests[first + count]) : small || count == 0))
        ++count;
    return std::max<std::size_t>(1, count);
}

/// The launches as requests, and those put together that go together.
Result<GpuChecks> requested(
    std::vector<CheckedLaunch> launches, const Task& task, const CudaArtifact& artifact, const std::string& text)
{
    GpuChecks checks;
    checks.launches = std::move(launches);
    std::vector<VerifyRequest> requests;
    for (std::size_t i = 0; i < checks.launches.size(); ++i) {
        const CheckedLaunch& launch = checks.launches[i];
        const GpuPlan* plan = artifact.planFor(launch.shape);
        if (!plan)
            return fail("build/no-artifact", "the built program has no plan for " + shapeText(launch.shape));
        requests.push_back({"candidate", extentsOnGpu(task, launch.shape), launch.shape, *plan, fillOf(launch.kind),
            sampleSeed(text, launch.shape, i), launch.twice,
            isProduct(task) ? std::vector<std::int64_t>() : elementCounts(task, launch.shape)});
        // A program can tell whether its inputs are in the cache, which in a timing they never are: one that then
        // computes in another way must do so in one of the two launches and not in the other. Not always in the first
        // or always in the second, whose outputs hold other poison.
        if (launch.isTimedLater)
            requests.back().coldLaunch = 1 + static_cast<int>(sampleSeed(text + "/cold", launch.shape, i) % 2);
    }
    const GpuProcessSetup memory = memoryOf(task);
    for (std::size_t i = 0; i < requests.size(); i += checks.verifications.back().requests.size()) {
        const auto from = requests.begin() + static_cast<std::ptrdiff_t>(i);
        const auto count = static_cast<std::ptrdiff_t>(togetherIn(memory, task, requests, i));
        GpuProcess::Verification verification;
        verification.requests.assign(from, from + count);
        verification.limit = limitOf(task, verification.requests);
        verification.judgingLimit = grace;
        for (const VerifyRequest& request : verification.requests) {
            verification.launchLimits.push_back(grace + slowest(task, request.dims));
            verification.judgingLimit += truthLimit(task, request.dims);
        }
        verification.message = GpuProcess::messageFor(verification.requests);
        checks.verifications.push_back(std::move(verification));
        checks.firsts.push_back(i);
    }
    return checks;
}

} // namespace

std::size_t togetherFrom(const Task& task, const std::vector<VerifyRequest>& requests, std::size_t first)
{
    return togetherIn(memoryOf(task), task, requests, first);
}

Result<GpuChecks> checksOf(const Task& task, const CudaArtifact& artifact, const std::string& text, bool all)
{
    return requested(launchesOf(task, artifact, all, sampleSeed(text, {}, 0)), task, artifact, text);
}

Result<GpuChecks> sweepChecksOf(
    const Task& task, const CudaArtifact& artifact, const std::vector<Shape>& shapes, const std::string& text)
{
    const bool product = isProduct(task);
    const auto takes = [&](InputKind kind) { return std::ranges::find(task.inputs, kind) != task.inputs.end(); };
    const InputKind kind = product && takes(InputKind::Integer) ? InputKind::Integer
        : takes(InputKind::Normal) || task.inputs.empty()       ? InputKind::Normal
                                                                : task.inputs.front();
    std::vector<CheckedLaunch> launches;
    for (const Shape& shape : shapes)
        launches.push_back({shape, kind});
    // Small ones go together, and truths of small outputs are computed side by side.
    const auto sizeOf = [&](const CheckedLaunch& launch) {
        const std::vector<std::int64_t> counts = elementCounts(task, launch.shape);
        return std::pair(std::ranges::max(counts) > smallOneElements, counts.back());
    };
    std::ranges::stable_sort(launches, {}, sizeOf);
    return requested(std::move(launches), task, artifact, text);
}

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
        "use smaller shapes (the largest is " + (largest ? shapeText(*largest) : "none")
            + "), a smaller limits.workspace_bytes, or a GPU with more memory",
        {{"bytes", wanted}, {"has", held}});
}

} // namespace tilewright
