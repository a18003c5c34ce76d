// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_build.h"

#include "core/base/folders.h"
#include "core/device/hopper.h"
#include "core/node/builder.h"
#include "core/node/cuda_builder.h"
#include "core/node/device.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tools.h"

namespace tilewright::cli {
namespace {

std::unexpected<Error> broken(const std::string& file, const std::string& reason)
{
    return fail("task/file", file + ": " + reason, "see kernels/README.md for what a program and a reference are",
        {{"file", file}, {"field", ""}, {"reason", reason}});
}

/// Builds for GPUs outside of a node.
CudaBuilder gpuBuilder(const Sandbox& sandbox)
{
    return {sandbox, programFolder() / "tilewright-cuda-worker", cacheFolder() / "build", {}, "pack"};
}

Result<std::string> checkCompilesForGpus(const Sandbox& sandbox, const TaskPack& pack)
{
    CudaBuilder builder = gpuBuilder(sandbox);
    if (!builder.isAvailable())
        return fail("build/no-compiler", builder.whyNot().text + ": whether the pack compiles is not known",
            "install the CUDA toolkit's NVRTC, then check again");
    // The first GPU of this machine; where there is none, one that is known.
    const GpuListing listing = listGpus(sandbox, programFolder() / "tilewright-cuda-worker");
    const CudaFacts facts = listing.gpus.empty() ? h200Facts() : listing.gpus.front();
    const BuildOutcome seed = builder.buildCandidate(pack.task, pack.seed(), facts);
    if (isNodesOwnRule(seed.rule))
        return fail(seed.rule, seed.text, seed.hint, seed.evidence);
    if (!seed.ok)
        return broken(pack.task.sources.front(), seed.rule + ": " + seed.text);
    if (const auto reference = buildGpuReference(builder, pack, facts); !reference)
        return isNodesOwnRule(reference.error().code) && !reference.error().code.starts_with("task/")
            ? std::unexpected(reference.error())
            : broken(pack.task.reference, reference.error().text);
    return listing.gpus.empty() ? facts.name : std::string();
}

} // namespace

std::optional<BuiltForAnother> buildWithoutGpu(const Task& task, const std::string& source)
{
    const Sandbox sandbox(programFolder() / "tilewright-worker");
    CudaBuilder builder = gpuBuilder(sandbox);
    if (!builder.isAvailable())
        return std::nullopt;
    const CudaFacts facts = h200Facts();
    BuildOutcome outcome = builder.buildCandidate(task, source, facts);
    if (isNodesOwnRule(outcome.rule))
        return std::nullopt;
    return BuiltForAnother{facts.name + " (" + facts.architecture() + ")", std::move(outcome)};
}

Result<std::string> checkCompiles(const TaskPack& pack)
{
    const Sandbox sandbox(programFolder() / "tilewright-worker");
    if (pack.task.target == Target::Cuda)
        return checkCompilesForGpus(sandbox, pack);
    const Builder builder(sandbox, cacheFolder() / "build", {});
    if (builder.compiler().empty())
        return fail("build/no-compiler", "there is no g++ on this machine: whether the pack compiles is not known",
            "install g++, then check again");
    const BuildOutcome seed = builder.buildCandidate(pack.task, pack.seed());
    if (isNodesOwnRule(seed.rule))
        return fail(seed.rule, seed.text, seed.hint, seed.evidence);
    if (!seed.ok)
        return broken(pack.task.sources.front(), seed.rule + ": " + seed.text);
    if (const auto reference = builder.buildReference(pack); !reference)
        return broken(pack.task.reference, reference.error().text);
    return std::string();
}

} // namespace tilewright::cli
