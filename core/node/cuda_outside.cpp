// SPDX-License-Identifier: GPL-3.0-or-later
// The verifier: a GPU worker that never loads a candidate. What a program computes in its own worker is brought out of
// it as it is, and held against a reference here, where no code of the program has ever run.
#include "core/node/cuda_timing.h"
#include "core/node/gpu_gates.h"

namespace tilewright {
namespace {

constexpr auto judgeLimit = std::chrono::seconds(60);

std::uint64_t outputBytes(const Task& task, const Shape& shape)
{
    std::uint64_t bytes = 0;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output)
            bytes += static_cast<std::uint64_t>(task.elementsOf(tensor, shape)) * bytesOf(tensor.dtype);
    return bytes;
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
        auto started = startProcess(pack, task);
        if (!started)
            return std::unexpected(started.error());
        m_verifier = std::move(*started);
        m_verifierTask = task;
    }
    return m_verifier.get();
}

Result<void> CudaDevice::judgeOutside(GpuProcess& process, Timing& timing, const std::vector<Shape>& shapes,
    std::uint64_t mostBytes, const std::string& seed)
{
    const Task& task = timing.pack.task;
    const auto judging = verifier(timing.pack, timing.request.task);
    if (!judging)
        return ofVerifier(judging.error());
    const auto program = m_builder.artifact(timing.request.candidate);
    if (!program)
        return std::unexpected(program.error());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape& shape = shapes[i];
        const GpuPlan* plan = (*program)->planFor(shape);
        if (!plan || outputBytes(task, shape) > mostBytes)
            continue;
        if (timing.job.cancelled())
            return fail("cancelled", "the measurement was cancelled");
        const VerifyRequest request{"candidate", extentsOnGpu(task, shape), shape, *plan, FillKind::Normal,
            sampleSeed(seed, shape, i), false,
            isProduct(task) ? std::vector<std::int64_t>() : elementCounts(task, shape)};
        const auto produced = process.produce(request, launchLimit(task, shape, 1));
        if (!produced)
            return std::unexpected(produced.error());
        auto found = (*judging)->judge(request, produced->outputs, judgeLimit);
        if (!found) {
            m_verifier.reset();
            return ofVerifier(found.error());
        }
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
            return passed;
        }
    }
    return {};
}

} // namespace tilewright
