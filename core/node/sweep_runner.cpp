// SPDX-License-Identifier: Apache-2.0
#include "core/node/sweep_runner.h"

#include "core/base/random.h"
#include "core/node/checker.h"
#include "core/node/core_clock.h"
#include "core/node/inputs.h"
#include "core/node/output_gates.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <cstring>

namespace tilewright {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t gapBytes = 256; ///< of poison behind each output, at least
constexpr std::size_t batchOutputBytes = 4 << 20; ///< of each output tensor in one batch, unless one launch needs more
constexpr std::size_t inputSlackBytes = 256 << 10; ///< in which the first element of an input may lie
constexpr std::size_t mostLaunches = 256; ///< of one batch
constexpr std::uint8_t poison = 0xff;
constexpr std::uint32_t poisonBits = 0xffffffffu;
constexpr double slowestNsPerFlop = 20;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

} // namespace

Result<std::unique_ptr<SweepRunner>> SweepRunner::start(
    const SweepSetup& setup, const std::vector<Shape>& largest, const SweepCaps& caps)
{
    const Task& task = setup.task;
    GuestSetup guest;
    guest.worker = setup.worker;
    guest.object = setup.object;
    guest.cpu = setup.cores.measuring;
    guest.ownCore = setup.cores.hasOwnClock();
    guest.awake = setup.awake;
    for (const Tensor& tensor : task.tensors) {
        std::size_t bytes = static_cast<std::size_t>(static_cast<double>(caps.elements) * pairTimes) * sizeof(float);
        for (const Shape& shape : largest)
            bytes = std::max(bytes, static_cast<std::size_t>(task.elementsOf(tensor, shape)) * sizeof(float));
        const bool isOutput = tensor.role == TensorRole::Output;
        guest.regions.push_back(
            {isOutput ? std::max(bytes + 2 * gapBytes, batchOutputBytes) : bytes + inputSlackBytes, isOutput});
    }
    guest.regions.push_back(
        {static_cast<std::uint64_t>(std::max<std::int64_t>(task.limits.workspaceBytes, 4096)), true});
    guest.regions.push_back({mostLaunches * mostArgsBytes, false});
    auto process = GuestProcess::start(setup.sandbox, guest);
    if (!process)
        return std::unexpected(process.error());
    return std::unique_ptr<SweepRunner>(new SweepRunner(setup, std::move(*process)));
}

SweepRunner::SweepRunner(const SweepSetup& setup, std::unique_ptr<GuestProcess> guest)
    : m_task(setup.task)
    , m_reference(setup.reference)
    , m_seedText(setup.seedText)
    , m_guest(std::move(guest))
{
    const bool takesNormal = std::ranges::find(m_task.inputs, InputKind::Normal) != m_task.inputs.end();
    const InputKind kind = takesNormal || m_task.inputs.empty() ? InputKind::Normal : m_task.inputs.front();
    int input = 0;
    for (std::size_t i = 0; i < m_task.tensors.size(); ++i) {
        if (m_task.tensors[i].role == TensorRole::Output)
            continue;
        const std::span<std::uint8_t> bytes = m_guest->region(i);
        const std::span<float> values{reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
        const std::uint64_t seed = sampleSeed(m_seedText, {}, static_cast<std::uint64_t>(input));
        if (kind == InputKind::Normal)
            fillQuickly(values, seed);
        else
            fillInput(values, kind, input, seed);
        ++input;
    }
    const auto workspace = m_guest->region(m_task.tensors.size());
    std::memset(workspace.data(), poison, workspace.size());
}

std::size_t SweepRunner::bytesOf(std::size_t tensor, const Shape& shape) const
{
    return static_cast<std::size_t>(m_task.elementsOf(m_task.tensors[tensor], shape)) * sizeof(float);
}

std::vector<SweepRunner::Launch> SweepRunner::place(const std::vector<Shape>& shapes, std::size_t first)
{
    std::vector<Launch> launches;
    std::vector<std::size_t> used(m_task.tensors.size(), gapBytes);
    for (std::size_t i = first; i < shapes.size() && launches.size() < mostLaunches; ++i) {
        Launch launch{shapes[i], {}};
        CounterRandom random(sampleSeed(m_seedText, {}, 1), static_cast<std::uint64_t>(m_launches), i - first);
        bool fits = true;
        for (std::size_t t = 0; t < m_task.tensors.size(); ++t) {
            const std::size_t room = m_guest->region(t).size(), bytes = bytesOf(t, launch.shape);
            if (m_task.tensors[t].role == TensorRole::Output) {
                launch.offsets.push_back(used[t]);
                fits = fits && used[t] + bytes + gapBytes <= room;
            } else {
                launch.offsets.push_back(random.below(inputSlackBytes / alignment) * alignment);
                fits = fits && launch.offsets.back() + bytes <= room;
            }
        }
        if (!fits)
            break;
        for (std::size_t t = 0; t < m_task.tensors.size(); ++t)
            used[t] = aligned(launch.offsets[t] + bytesOf(t, launch.shape)) + gapBytes;
        launches.push_back(std::move(launch));
    }
    return launches;
}

std::span<const float> SweepRunner::valuesOf(std::size_t tensor, const Launch& launch) const
{
    return {reinterpret_cast<const float*>(m_guest->region(tensor).data() + launch.offsets[tensor]),
        bytesOf(tensor, launch.shape) / sizeof(float)};
}

Result<void> SweepRunner::run(const std::vector<Shape>& shapes)
{
    for (std::size_t done = 0; done < shapes.size();) {
        const std::vector<Launch> launches = place(shapes, done);
        if (launches.empty())
            return fail(
                "node/internal", "a size of the sweep exceeds the memory available for it: " + shapeText(shapes[done]));
        if (auto ran = runBatch(launches); !ran)
            return ran;
        done += launches.size();
    }
    return {};
}

Result<void> SweepRunner::runBatch(const std::vector<Launch>& launches)
{
    for (std::size_t t = 0; t < m_task.tensors.size(); ++t) {
        if (m_task.tensors[t].role != TensorRole::Output)
            continue;
        const std::size_t end = launches.back().offsets[t] + bytesOf(t, launches.back().shape) + gapBytes;
        std::memset(m_guest->region(t).data(), poison, std::min(m_guest->region(t).size(), end));
    }
    const std::size_t workspace = m_task.tensors.size(), list = workspace + 1;
    double flops = 0;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        std::vector<std::uint64_t> addresses;
        for (std::size_t t = 0; t < m_task.tensors.size(); ++t)
            addresses.push_back(m_guest->guestAddress(t) + launches[i].offsets[t]);
        const auto bytes = argsBytes(launches[i].shape, addresses, m_guest->guestAddress(workspace),
            static_cast<std::uint64_t>(m_task.limits.workspaceBytes));
        std::memcpy(
            m_guest->region(list).data() + i * mostArgsBytes, bytes.data(), std::min(bytes.size(), mostArgsBytes));
        flops += std::max(1.0, m_task.flopsOf(launches[i].shape));
    }
    const double perFlop = m_slowest > 0 ? std::min(5 * m_slowest, slowestNsPerFlop) : slowestNsPerFlop;
    const auto limit = std::chrono::seconds(2) + std::chrono::nanoseconds(static_cast<std::int64_t>(flops * perFlop));
    const auto time = m_guest->callBatch(
        static_cast<std::uint32_t>(launches.size()), static_cast<std::uint64_t>(m_task.limits.workspaceBytes), limit);
    if (!time) {
        const std::size_t at = std::min<std::size_t>(m_guest->batchAt(), launches.size() - 1);
        return std::unexpected(asSweepFinding(time.error(), launches[at].shape));
    }
    m_slowest = std::max(m_slowest, static_cast<double>(time->count()) / flops);
    if (m_guest->result() > static_cast<std::uint64_t>(m_task.limits.workspaceBytes)) {
        const std::size_t at = std::min<std::size_t>(m_guest->batchAt(), launches.size() - 1);
        return fail("run/workspace-limit",
            "the program requests " + std::to_string(m_guest->result()) + " bytes of workspace for "
                + shapeText(launches[at].shape) + ", at most " + std::to_string(m_task.limits.workspaceBytes)
                + " are allowed",
            "", {{"wanted", m_guest->result()}, {"shape", launches[at].shape}});
    }
    for (const Launch& launch : launches) {
        const auto right = checkLaunch(launch, static_cast<std::uint64_t>(m_launches++));
        if (!right)
            return std::unexpected(asSweepFinding(right.error(), launch.shape));
        m_measured.add(right->on(launch.shape, nameOf(InputKind::Normal)).asPartOf("size-sweep"));
    }
    return {};
}

Result<MeasuredChecks> SweepRunner::checkLaunch(const Launch& launch, std::uint64_t ordinal) const
{
    std::vector<std::span<const float>> inputs;
    OutputValues outputs;
    for (std::size_t t = 0; t < m_task.tensors.size(); ++t) {
        const auto values = valuesOf(t, launch);
        if (m_task.tensors[t].role == TensorRole::Input) {
            inputs.push_back(values);
            continue;
        }
        outputs.push_back(values);
        const std::uint8_t* end = reinterpret_cast<const std::uint8_t*>(values.data() + values.size());
        const std::uint8_t* begin = reinterpret_cast<const std::uint8_t*>(values.data());
        const auto isPoison = [](std::uint8_t byte) { return byte == poison; };
        if (!std::all_of(end, end + gapBytes, isPoison) || !std::all_of(begin - gapBytes, begin, isPoison))
            return fail("verify/out-of-bounds-write", "the program wrote outside of its output");
    }
    if (auto written = checkOutputsWritten(m_task, launch.shape, outputs, poisonBits); !written)
        return std::unexpected(written.error());
    if (isProduct(m_task)) {
        const ProductView view{productShape(m_task, launch.shape), inputs[0], inputs[1], outputs[0]};
        if (checkFreivalds(view, sampleSeed(m_seedText + "/signs", launch.shape, ordinal),
                m_task.numeric.growthOf(view.shape.depth)))
            return MeasuredChecks(); // its bound decides nothing here, so what it measures is no magnitude
    }
    // For a product only what the quick check doubts: the reference decides, and names the worst element.
    const auto truths = m_reference.outputs(m_task, launch.shape, inputs);
    return checkOutputs(m_task, launch.shape, InputKind::Normal, outputs, truths);
}

} // namespace tilewright
