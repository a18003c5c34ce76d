// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_check.h"

#include "app/cli/subcommand.h"
#include "core/base/folders.h"
#include "core/device/cpu.h"
#include "core/engine/engine.h"
#include "core/engine/measuring/node_connection.h"
#include "core/node/builder.h"
#include "core/node/cuda_builder.h"
#include "core/node/device.h"
#include "core/node/gates.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tools.h"
#include "core/patch/patch.h"
#include "core/proposer/variation.h"
#include "core/protocol/device_names.h"
#include "core/protocol/killed.h"
#include "core/source/program_text.h"

#include <QDateTime>
#include <QEventLoop>
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
    auto passed = runSeed(verdict.pack, progress);
    if (!passed)
        return std::unexpected(withTolerance(passed.error(), verdict.pack.task));
    verdict.passed = std::move(*passed);
    return verdict;
}

namespace {

/// Builds the seed and has it checked; ends the loop with the word on it.
class SeedRun
{
public:
    SeedRun(const TaskPack& pack, const PackProgress& progress)
    {
        m_task = keep(pack.blob());
        m_source = keep(pack.seed());
        m_wanted = pack.task.target == Target::Cuda ? "cuda:0" : "cpu";
        m_node.setCommand(defaultNodeCommand());
        m_node.setBlobSource([this](const Hash& hash) { return m_blobs[hash]; });
        QObject::connect(&m_node, &NodeConnection::ready, &m_context, [this] { build(); });
        QObject::connect(
            &m_node, &NodeConnection::givenUp, &m_context, [this](const QString& reason, const QString& hint) {
                end(fail("node/missing", reason.toStdString(), hint.toStdString()));
                m_loop.quit();
            });
        QObject::connect(&m_node, &NodeConnection::progressed, &m_context,
            [progress](const tilewright::Progress& now) { progress(now.stage, now.done, now.of); });
        QObject::connect(&m_node, &NodeConnection::stopped, &m_loop, &QEventLoop::quit);
    }

    Result<std::vector<std::string>> run()
    {
        QMetaObject::invokeMethod(
            &m_node, [this] { m_node.start(); }, Qt::QueuedConnection);
        m_loop.exec();
        return m_verdict;
    }

private:
    Hash keep(std::string text)
    {
        const Hash hash = sha256(text);
        m_blobs[hash] = std::move(text);
        return hash;
    }

    void end(Result<std::vector<std::string>> verdict)
    {
        m_verdict = std::move(verdict);
        m_node.stop();
    }

    void build()
    {
        if (m_started)
            return; // a respawned node: the request in flight has failed and says so
        m_started = true;
        const auto* device = deviceNamed(m_node.hello(), m_wanted);
        if (!device)
            return end(std::unexpected(noSuchDevice(m_node.hello(), m_wanted)));
        m_device = device->id;
        BuildRequest request;
        request.task = m_task;
        request.program = m_source;
        request.device = m_device;
        m_node.ask(request, {m_task, m_source}, [this](const Result<Reply>& reply) {
            const auto* built = reply ? std::get_if<BuildReply>(&*reply) : nullptr;
            if (!built)
                return end(std::unexpected(reply
                        ? Error{"node/garbage", "the node sent a reply to another request", "", nullptr}
                        : reply.error()));
            if (!built->ok)
                return end(fail(built->rule, built->text, "", built->evidence));
            check(built->artifact);
        });
    }

    void check(const Hash& artifact)
    {
        CheckRequest request;
        request.device = m_device;
        request.task = m_task;
        request.artifact = artifact;
        request.evaluation = "pack " + QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
        request.all = true;
        m_node.ask(request, {m_task}, [this](const Result<Reply>& reply) {
            const auto* checked = reply ? std::get_if<CheckReply>(&*reply) : nullptr;
            if (!checked)
                return end(std::unexpected(reply
                        ? Error{"node/garbage", "the node sent a reply to another request", "", nullptr}
                        : reply.error()));
            if (!checked->ok)
                return end(fail(checked->rule, checked->text, "", checked->evidence));
            end(checked->passed);
        });
    }

    QObject m_context;
    QEventLoop m_loop;
    NodeConnection m_node;
    std::map<Hash, std::string> m_blobs;
    Hash m_task, m_source;
    std::string m_wanted, m_device;
    bool m_started = false;
    Result<std::vector<std::string>> m_verdict = fail("node/missing", "the node did not reply");
};

} // namespace

Result<std::vector<std::string>> runSeed(const TaskPack& pack, const PackProgress& progress)
{
    for (int lives = 1;; ++lives) {
        auto verdict = SeedRun(pack, progress).run();
        if (verdict || !isWorthAnotherNode(verdict.error().code) || lives == mostNodes)
            return verdict;
    }
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
