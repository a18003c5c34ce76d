// SPDX-License-Identifier: Apache-2.0
// What a task's shapes take of a GPU's memory, and whether an operation's bounds would catch a cheat, by its reference
// on the GPU.
#include "core/node/cuda_device.h"

#include "core/node/cubin.h"
#include "core/node/cuda_sweep.h"
#include "core/node/output_gates.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tilewright {
namespace {

constexpr std::uint64_t vendorWorkspace = 32 << 20;

/// What GPU memory a task needs for its largest shapes: of each buffer, and where references are hidden.
struct MemoryNeeds {
    std::vector<std::uint64_t> buffers;
    std::uint64_t hidden = 0;
};

/// Of an operation's output: its values and magnitudes, 8 bytes each, what a reference writes, and a copy.
std::uint64_t hiddenFor(const Tensor& output, std::int64_t elements)
{
    constexpr std::uint64_t alignment = 4 * 256; ///< four pieces of an output, each by itself
    return static_cast<std::uint64_t>(elements) * (16 + 2 * bytesOf(output.dtype)) + alignment;
}

MemoryNeeds needsOf(const Task& task, const std::vector<Shape>& shapes)
{
    MemoryNeeds needs;
    needs.buffers.resize(task.tensors.size());
    for (const Shape& shape : shapes) {
        std::uint64_t hidden = 0;
        for (std::size_t i = 0; i < task.tensors.size(); ++i) {
            const Tensor& tensor = task.tensors[i];
            const std::int64_t elements = task.elementsOf(tensor, shape);
            needs.buffers[i] = std::max(needs.buffers[i], static_cast<std::uint64_t>(elements) * bytesOf(tensor.dtype));
            if (tensor.role == TensorRole::Output)
                hidden += hiddenFor(tensor, elements);
        }
        needs.hidden = std::max(needs.hidden, hidden);
    }
    return needs;
}

/// And for the sizes that a program is tried on before it is confirmed.
void addSweep(MemoryNeeds& needs, const Task& task)
{
    const std::vector<std::int64_t> elements = mostSweepElements(task, gpuSweepCaps(task));
    std::uint64_t hidden = 0;
    for (std::size_t i = 0; i < task.tensors.size(); ++i) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(elements[i]) * bytesOf(task.tensors[i].dtype);
        needs.buffers[i] = std::max(needs.buffers[i], bytes);
        if (task.tensors[i].role == TensorRole::Output)
            hidden += hiddenFor(task.tensors[i], elements[i]);
    }
    needs.hidden = std::max(needs.hidden, hidden);
}

/// No shape that unannouncedShapes() draws is larger.
Shape largestUnannounced(const Task& task)
{
    Shape largest;
    for (std::size_t d = 0; d < task.dims.size(); ++d) {
        std::int64_t most = 0;
        for (const Shape& shape : task.train)
            most = std::max(most, shape[d]);
        largest.push_back(std::max({std::int64_t(101), std::min<std::int64_t>(most, 192) + 1, task.dims[d].min}));
    }
    return largest;
}

/// A product's, with room for launches that are verified side by side: as many small ones as go together, and two on
/// each train shape as long as that is no more than `mostBeside`.
void setProductBuffers(GpuProcessSetup& setup, const Task& task)
{
    constexpr std::uint64_t mostBeside = 384 << 20;
    const std::uint64_t sizes[] = {bytesOf(setup.formats.in), bytesOf(setup.formats.in), bytesOf(setup.formats.out)};
    std::uint64_t largest[3] = {}, train[3] = {}, largestOfTrain = 0;
    for (const auto* list : {&task.train, &task.heldout, &task.verify})
        for (const Shape& shape : *list) {
            const ProductShape extents = productShape(task, shape);
            const std::int64_t elements[] = {extents.sizeA(), extents.sizeB(), extents.sizeC()};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint64_t bytes = sizes[i] * static_cast<std::uint64_t>(elements[i]);
                largest[i] = std::max(largest[i], bytes);
                if (list == &task.train)
                    train[i] += 2 * roomOf(bytes);
            }
            if (list == &task.train)
                largestOfTrain = std::max(largestOfTrain, static_cast<std::uint64_t>(elements[2]));
        }
    const std::vector<std::int64_t> ofSweep = mostSweepElements(task, gpuSweepCaps(task));
    for (std::size_t i = 0; i < 3; ++i)
        largest[i] = std::max(largest[i], sizes[i] * static_cast<std::uint64_t>(ofSweep[i]));
    for (std::size_t i = 0; i < 3; ++i)
        setup.bufferBytes.push_back(
            std::max({largest[i], std::min(train[i], mostBeside), mostTogether * roomOf(sizes[i] * smallOneElements)}));
    setup.bufferBytes.push_back(std::max(static_cast<std::uint64_t>(task.limits.workspaceBytes), vendorWorkspace));
    // Truth and magnitude, 8 bytes each, and what is kept of the first launches' outputs; of small ones all at once.
    const std::uint64_t small = mostTogether * (16 + sizes[2]) * smallOneElements;
    const std::uint64_t kept = allocationOf(setup.bufferBytes[2]);
    setup.oftenHidden = std::max(small, 16 * largestOfTrain + std::min(kept, train[2] / 2));
    setup.hiddenBytes = std::max(setup.oftenHidden, 16 * (largest[2] / sizes[2]) + kept);
}

} // namespace

void appendElement(std::string& bytes, float value, Dtype type)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (type == Dtype::Fp32) {
        for (int i = 0; i < 4; ++i)
            bytes += static_cast<char>(bits >> (8 * i));
        return;
    }
    std::uint32_t narrow = bits >> 16;
    if (type == Dtype::Fp16) {
        const float size = std::abs(value);
        const int exponent = size > 0 ? std::max(std::ilogb(size), -14) : -14;
        const auto digits = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
        const std::uint32_t magnitude = digits + static_cast<std::uint32_t>(exponent + 14) * 1024;
        narrow = (bits >> 16 & 0x8000) | std::min<std::uint32_t>(magnitude, 0x7c00);
    }
    bytes += static_cast<char>(narrow);
    bytes += static_cast<char>(narrow >> 8);
}

Result<std::string> buildGpuReference(CudaBuilder& builder, const TaskPack& pack, const CudaFacts& facts)
{
    const std::string& name = pack.task.reference;
    auto built = builder.buildTrusted(cudaReferenceHeader(pack.task, name) + pack.files.at(name), name, facts);
    if (!built)
        return built;
    const auto cubin = Cubin::parse(*built);
    if (!cubin)
        return std::unexpected(cubin.error());
    const auto has = [&](const char* kernel) { return cubin->kernel(kernel) != nullptr; };
    const bool launched = has("tilewright_launch") && (has("tilewright_found") || has("tilewright_values"));
    if (!has("tilewright_reference") && (isProduct(pack.task) || !launched))
        return fail("task/reference",
            name + " defines no kernel tilewright_reference"
                + (isProduct(pack.task) ? "" : ", nor tilewright_found or tilewright_values with tilewright_launch"),
            "see kernels/README.md for what a reference is");
    return built;
}

void setBuffers(GpuProcessSetup& setup, const Task& task)
{
    if (isProduct(task))
        return setProductBuffers(setup, task);
    std::vector<Shape> shapes{largestUnannounced(task)};
    for (const auto* list : {&task.train, &task.heldout, &task.verify})
        shapes.insert(shapes.end(), list->begin(), list->end());
    MemoryNeeds needs = needsOf(task, shapes);
    addSweep(needs, task);
    setup.bufferBytes = std::move(needs.buffers);
    setup.bufferBytes.push_back(static_cast<std::uint64_t>(task.limits.workspaceBytes));
    setup.oftenHidden = needsOf(task, task.train).hidden;
    setup.hiddenBytes = needs.hidden;
}

Result<void> CudaDevice::calibrate(GpuProcess& process, const TaskPack& pack, const Hash& task)
{
    if (isProduct(pack.task) || m_calibrated.contains(task))
        return {};
    const auto truthOn = [&](const Shape& shape,
                             const std::vector<std::vector<float>>& values) -> Result<std::vector<ReferenceProduct>> {
        std::vector<std::string> inputs;
        for (const std::vector<float>& input : values) {
            std::string& bytes = inputs.emplace_back();
            for (const float value : input)
                appendElement(bytes, value, pack.task.tensors[inputs.size() - 1].dtype); // inputs stand first
        }
        const auto found = process.truth(shape, elementCounts(pack.task, shape), inputs);
        if (!found)
            return std::unexpected(found.error());
        std::vector<ReferenceProduct> outputs(found->size() / 2);
        for (std::size_t i = 0; i < found->size(); ++i) {
            std::vector<double>& numbers = i % 2 == 0 ? outputs[i / 2].values : outputs[i / 2].magnitudes;
            numbers.resize((*found)[i].size() / sizeof(double));
            std::memcpy(numbers.data(), (*found)[i].data(), numbers.size() * sizeof(double));
        }
        return outputs;
    };
    auto strict = calibrateOutputs(pack.task, truthOn);
    if (strict)
        m_calibrated.insert(task);
    return strict;
}

} // namespace tilewright
