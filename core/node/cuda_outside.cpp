// SPDX-License-Identifier: Apache-2.0
// The verifier: a GPU worker that never loads a candidate. What a program computes in its own worker is lent to it
// (CUDA IPC; where that is refused, the bytes are brought out), copied, and held against a reference there, where no
// code of the program has ever run.
#include "core/node/cuda_timing.h"
#include "core/node/gpu_checks.h"
#include "core/node/gpu_gates.h"

namespace tilewright {
namespace {

constexpr int judgePatience = 4; ///< launches: the reference's, and copies

std::uint64_t outputBytes(const Task& task, const Shape& shape)
{
    std::uint64_t bytes = 0;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output)
            bytes += static_cast<std::uint64_t>(task.elementsOf(tensor, shape)) * bytesOf(tensor.dtype);
    return bytes;
}

/// Whether each output's buffer is an allocation of its own, which smaller ones are not.
bool canLend(const Task& task)
{
    constexpr std::uint64_t fewest = 2 << 20;
    GpuProcessSetup setup;
    setBuffers(setup, task);
    for (std::size_t i = 0; i < task.tensors.size(); ++i)
        if (task.tensors[i].role == TensorRole::Output && setup.bufferBytes[i] < fewest)
            return false;
    return true;
}

/// The verifier's own trouble says nothing about a program.
std::unexpected<Error> ofVerifier(const Error& error)
{
    return fail(
        verifierTrouble, "the outputs could not be judged by another process: " + error.code + ", " + error.text);
}

} // namespace

Result<GpuProcess*> CudaDevice::verifier(const TaskPack& pack, const Hash& task)
{
    if (!m_verifier || !m_verifier->isAlive() || m_verifierTask != task) {
        m_verifier.reset();
        auto started = startProcess(pack, task, true);
        if (!started)
            return std::unexpected(started.error());
        m_verifier = std::move(*started);
        m_verifierTask = task;
    }
    return m_verifier.get();
}

Result<void> CudaDevice::judgeOutside(GpuProcess& process, Timing& timing, const std::vector<Shape>& shapes,
    const OutsideLimits& limits, const std::string& seed)
{
    const Task& task = timing.pack.task;
    bool lends = m_lending.isOn() && canLend(task);
    auto judging = verifier(timing.pack, timing.request.task);
    if (!judging)
        return ofVerifier(judging.error());
    const auto program = m_builder.artifact(timing.request.candidate);
    if (!program)
        return std::unexpected(program.error());
    std::uint64_t sample = 0; // of a shape that is launched once more, other inputs
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape& shape = shapes[i];
        const GpuPlan* plan = (*program)->planFor(shape);
        if (!plan || outputBytes(task, shape) > (lends ? limits.lentBytes : limits.carriedBytes))
            continue;
        if (timing.job.cancelled())
            return fail("cancelled", "the measurement was cancelled");
        const VerifyRequest request{"candidate", extentsOnGpu(task, shape), shape, *plan, FillKind::Normal,
            sampleSeed(seed, shape, ++sample), false,
            isProduct(task) ? std::vector<std::int64_t>() : elementCounts(task, shape)};
        const auto produced = process.produce(request, lends, launchLimit(task, shape, 1));
        const bool notToBeLent = lends && !produced && produced.error().code == notLent;
        if (!produced && !notToBeLent)
            return std::unexpected(produced.error());
        auto found = notToBeLent ? Result<VerifyReply>(std::unexpected(produced.error()))
                                 : (*judging)->judge(request, *produced, launchLimit(task, shape, judgePatience));
        if (lends && !found && found.error().code == notLent) { // the same shape once more, by its bytes in the end
            lends = m_lending.refused();
            if (lends) {
                m_verifier.reset();
                judging = verifier(timing.pack, timing.request.task);
                if (!judging)
                    return ofVerifier(judging.error());
            }
            --i;
            continue;
        }
        if (!found) {
            m_verifier.reset();
            return ofVerifier(found.error());
        }
        if (lends)
            m_lending.worked();
        ++(lends ? timing.judgedLent : timing.judgedCarried);
        found->inputsChanged += produced->around.inputsChanged;
        found->zonesChanged += produced->around.zonesChanged;
        auto passed = isProduct(task) ? checkVerified(*found, task, productShape(task, shape), InputKind::Normal)
                                      : checkOperation(*found, task, shape);
        if (!passed) {
            Error& error = passed.error();
            if (!error.evidence.is_object())
                error.evidence = nlohmann::json::object();
            error.evidence["shape"] = shape;
            error.evidence["judged"] = "by another process";
            error.text += " (" + shapeText(shape) + ", judged by another process)";
            return std::unexpected(std::move(error));
        }
        timing.measured.add(passed->on(shape, nameOf(InputKind::Normal)).asPartOf(Timing::judgedOutside));
    }
    return {};
}

} // namespace tilewright
