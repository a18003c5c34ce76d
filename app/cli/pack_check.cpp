// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_check.h"

#include "app/cli/subcommand.h"
#include "core/base/folders.h"
#include "core/device/cpu.h"
#include "core/engine/measuring/seed_run.h"
#include "core/node/builder.h"
#include "core/node/cuda_builder.h"
#include "core/node/device.h"
#include "core/node/gates.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tools.h"
#include "core/patch/patch.h"
#include "core/proposer/variation.h"
#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright::cli {
namespace {

/// What loading alone does not see: moves that fit nothing, tunables whose constraints do not hold.
Result<void> checkTexts(const TaskPack& pack)
{
    const auto broken = Constraints(pack.seed()).broken();
    if (!broken)
        return std::unexpected(broken.error());
    if (!broken->empty())
        return fail("task/file", pack.task.sources.front() + ": the seed breaks its own constraint '" + *broken + "'");
    if (auto blocks = evolveBlocks(pack.seed()); !blocks)
        return fail("task/file", pack.task.sources.front() + ": " + blocks.error().text);
    // A move must fit the seed, or the seed after some of the other moves.
    std::string text = pack.seed();
    const std::vector<const Move*> ladder = ladderOf(pack);
    for (const Move* move : ladder) {
        text = applyDiff(text, move->diff)->text;
        if (const auto readable = Constraints(text).broken(); !readable)
            return fail("task/file", "moves/" + move->name + ".patch: " + readable.error().text);
    }
    for (const Move& move : pack.moves) {
        if (std::ranges::find(ladder, &move) != ladder.end() || applyDiff(pack.seed(), move.diff))
            continue;
        const auto why = applyDiff(text, move.diff);
        const std::string file = "moves/" + move.name + ".patch", reason = why ? "" : why.error().text;
        return fail("task/file",
            file + ": does not apply to the seed, nor to the seed after the other moves: " + reason, "",
            {{"file", file}, {"field", ""}, {"reason", reason}});
    }
    return {};
}

/// A remedy hangs on the tolerance that is in use.
Error withTolerance(Error error, const Task& task)
{
    if (error.code != "verify/norm" && error.code != "verify/elementwise")
        return error;
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["tolerance"] = {{"tau", task.numeric.tau}, {"reduction", task.numeric.reduction}};
    return error;
}

} // namespace

Result<PackVerdict> checkedPack(const std::filesystem::path& folder, SeedIs wanted, const PackProgress& progress)
{
    progress("reading", 0, 0);
    auto pack = loadTaskPack(folder);
    if (!pack)
        return std::unexpected(pack.error());
    if (auto texts = checkTexts(*pack); !texts)
        return std::unexpected(texts.error());
    if (auto possible = checkCanBeEvaluated(pack->task); !possible)
        return std::unexpected(possible.error());
    const bool product = isProduct(pack->task);
    if (product)
        if (auto strict = calibrateGates(pack->task); !strict)
            return std::unexpected(strict.error());
    progress("compiling", 0, 0);
    const auto compiled = checkCompiles(*pack);
    if (!compiled)
        return std::unexpected(compiled.error());
    PackVerdict verdict{std::move(*pack), {}, {}, *compiled};
    // What only the reference knows, the cheats are computed with: after the seed has shown that it can be run.
    if (product && wanted == SeedIs::Compiled) {
        verdict.notJudged = {"whether the seed runs and matches the reference on every shape",
            "whether the reference runs and returns finite numbers"};
        return verdict;
    }
    progress("running", 0, 0);
    auto passed = runSeed(verdict.pack, SeedGates::All,
        {[&](const tilewright::Progress& now) { progress(now.stage, now.done, now.of); }, {}});
    if (!passed)
        return std::unexpected(withTolerance(passed.error(), verdict.pack.task));
    verdict.passed = std::move(*passed);
    return verdict;
}

namespace {

std::unexpected<Error> broken(const std::string& file, const std::string& reason)
{
    return fail("task/file", file + ": " + reason, "kernels/README.md describes programs and references",
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
        return fail("build/no-compiler", builder.whyNot().text + ": whether the pack compiles is unknown",
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
        return fail("build/no-compiler", "there is no g++ on this machine: whether the pack compiles is unknown",
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
