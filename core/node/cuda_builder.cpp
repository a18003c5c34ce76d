// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_builder.h"

#include "core/base/files.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/node/compiler_end.h"
#include "core/node/cubin.h"
#include "core/node/cuda_plan.h"
#include "core/node/cuda_plan_words.h"
#include "core/node/device.h"
#include "core/node/disassembler.h"
#include "core/node/elf_rules.h"
#include "core/node/machine_trouble.h"
#include "core/node/problem.h"
#include "core/node/ptx_rules.h"
#include "core/node/sass_digest.h"
#include "core/protocol/gpu_trouble.h"
#include "core/source/candidate_header.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace tilewright {
namespace {

constexpr const char* cudaCacheFormat = "cuda 7"; // change when the meaning of an entry changes
constexpr const char* sourceName = "candidate.cu";
constexpr auto compilerStartLimit = std::chrono::seconds(20);
constexpr int unannouncedCount = 3;
constexpr int outOfMemory = 1, unknownOption = 5, noBuiltins = 7; ///< NVRTC's results

/// What a worker's end while it compiled makes of the program. killedFromOutside: nothing.
Error endOfCompiler(WorkerChannel& worker, const Error& error, std::size_t memory, bool endedForMemory)
{
    if (error.code != "run/exit" && error.code != "run/timeout")
        return error;
    ExitStatus status = worker.end().value_or(ExitStatus());
    status.timedOut = error.code == "run/timeout";
    const std::string words = worker.takeWords();
    if (isFromOutside(status) && !endedForMemory)
        return {killedFromOutside, "compilers are repeatedly killed externally: " + error.text,
            remedyFor(killedFromOutside), {{"signal", status.signal}}};
    const CompilerVerdict verdict = verdictOf({status, words, memory, false, endedForMemory});
    if (isMachineTrouble(verdict.rule))
        return noMemory(verdict.text, ENOMEM);
    if (verdict.rule == "build/limit")
        return {verdict.rule, verdict.text, "", nullptr};
    return {"build/crash", "the compiler crashed: " + error.text, "", {{"said", words.substr(0, 2000)}}};
}

/// The compiler gave up for want of memory, and lived to tell.
bool ranOutOfMemory(const CompileReply& reply)
{
    return reply.code == outOfMemory
        || (!reply.ok && reply.log.find("catastrophic error: out of memory") != std::string::npos);
}

std::string hexNumber(std::uint64_t value)
{
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

/// The same text would end in the same way another time.
bool isKept(const BuildOutcome& outcome)
{
    return outcome.ok || outcome.rule.starts_with("plan/")
        || (outcome.rule.starts_with("build/") && outcome.rule != "build/limit" && !lacksCompiler(outcome.rule));
}

std::vector<Shape> announcedShapes(const Task& task)
{
    std::vector<Shape> shapes;
    for (const auto* list : {&task.train, &task.heldout, &task.sealed, &task.verify})
        for (const Shape& shape : *list)
            if (std::ranges::find(shapes, shape) == shapes.end())
                shapes.push_back(shape);
    return shapes;
}

/// Of every kernel that these plans launch, as the program writes it.
std::set<std::string> namesIn(const std::vector<CudaArtifact::ShapePlan>& plans)
{
    std::set<std::string> names;
    for (const CudaArtifact::ShapePlan& shape : plans)
        for (const GpuLaunch& launch : shape.plan.launches)
            names.insert(launch.entry);
    return names;
}

void refuse(BuildOutcome& outcome, const Error& error)
{
    outcome.ok = false;
    outcome.rule = error.code;
    outcome.text = error.text;
    outcome.hint = error.hint;
    outcome.evidence = error.evidence;
}

} // namespace

CudaBuilder::CudaBuilder(const Sandbox& sandbox, std::filesystem::path worker, std::filesystem::path cache,
    std::vector<int> cpus, std::string secret, StaticRules rules)
    : m_sandbox(sandbox)
    , m_worker(std::move(worker))
    , m_cache(std::move(cache), ".cuda")
    , m_cpus(std::move(cpus))
    , m_secret(std::move(secret))
    , m_rules(rules)
    , m_toolkit(CudaToolkit::find())
{
}

std::string CudaBuilder::compiler() const
{
    const std::lock_guard lock(m_mutex);
    if (!m_toolkit)
        return {};
    return m_version == 0 ? "NVRTC"
                          : "NVRTC " + std::to_string(m_version / 1000) + "." + std::to_string(m_version % 1000 / 10);
}

Result<std::unique_ptr<WorkerChannel>> CudaBuilder::worker(bool withHeaders)
{
    if (!m_toolkit)
        return std::unexpected(m_toolkit.error());
    {
        const std::lock_guard lock(m_mutex);
        for (auto& idle = m_idle[withHeaders]; !idle.empty();) {
            auto channel = std::move(idle.back());
            idle.pop_back();
            if (channel->isAlive())
                return channel;
        }
    }
    WorkerSetup setup;
    setup.worker = m_worker;
    setup.arguments = {"compile", m_toolkit->nvrtc.string()};
    setup.libraries = m_toolkit->libraries;
    setup.cpus = m_cpus;
    setup.niceness = 5;
    setup.memoryBytes = mostCompilerMemory;
    setup.isFirstProcess = false; // the signal that its processor time is up ends no first process
    setup.keepsWords = true;
    auto channel = WorkerChannel::start(m_sandbox, setup, compilerStartLimit);
    if (!channel && channel.error().code.starts_with("run/"))
        return fail("run/start", "a build worker does not start: " + channel.error().text);
    if (!channel)
        return channel;
    const std::lock_guard lock(m_mutex);
    m_version = (*channel)->greeting().value("version", 0);
    m_capabilities = (*channel)->greeting().value("architectures", std::vector<int>());
    if (withHeaders) {
        if (m_headers.empty())
            m_headers = readHeaders(m_toolkit->include);
        nlohmann::json files = nlohmann::json::object();
        std::vector<WorkerBlob> texts;
        for (const auto& [name, text] : m_headers)
            files[name] = texts.emplace_back(WorkerBlob{text}).hash.hex();
        const auto taken = (*channel)->ask({{"op", "headers"}, {"files", files}}, texts, compilerStartLimit);
        if (!taken)
            return fail("run/start", "a build worker rejects CUDA's headers: " + taken.error().text);
    }
    return channel;
}

Result<CudaBuilder::Compiled> CudaBuilder::compile(const Compilation& job, const Cancelled& cancelled)
{
    auto compiled = compileOnce(job, cancelled);
    // Who is ended from outside would have been under any program: it is innocent, and compiled once more.
    return !compiled && compiled.error().code == killedFromOutside ? compileOnce(job, cancelled) : std::move(compiled);
}

Result<CudaBuilder::Compiled> CudaBuilder::compileOnce(const Compilation& job, const Cancelled& cancelled)
{
    const auto memory = memoryForACompiler();
    if (!memory)
        return std::unexpected(memory.error());
    auto channel = worker(job.withHeaders);
    if (!channel)
        return std::unexpected(channel.error());
    const long endedBefore = endedForMemory();
    (*channel)->limit({*memory, processorTimeFor(job.seconds)});
    CompileRequest request{sha256(job.text), job.fileName, job.options, job.expressions};
    request.options.insert(request.options.begin(), "--gpu-architecture=" + job.architecture);
    if (m_version >= versionWithDiskCache)
        request.options.emplace_back("--no-cache"); // else it may answer, with an empty log
    auto reply = (*channel)->ask(toJson(request), {WorkerBlob{job.text}},
        std::chrono::milliseconds(static_cast<long>(job.seconds * 1000)), cancelled);
    if (!reply)
        return std::unexpected(endOfCompiler(**channel, reply.error(), *memory, endedForMemory() > endedBefore));
    Compiled compiled;
    try {
        compiled.reply = compileReplyFrom(reply->json);
    } catch (const nlohmann::json::exception& problem) {
        return fail("build/crash", std::string("the compiler sent an invalid reply: ") + problem.what());
    }
    compiled.reply.log = printable(compiled.reply.log);
    if (ranOutOfMemory(compiled.reply))
        return fail("build/limit", tooMuchMemory(*memory), "", {{"log", compiled.reply.log.substr(0, 2000)}});
    if (compiled.reply.code == noBuiltins)
        return std::unexpected(ofThisToolkit(
            gpuTrouble("device/toolkit", compiler() + " lacks its library of built-in functions (libnvrtc-builtins)")));
    if (compiled.reply.code == unknownOption)
        return std::unexpected(
            ofThisToolkit(toolkitTrouble(compiler(), std::atoi(job.architecture.c_str() + std::strlen("sm_")),
                m_capabilities, firstComplaint(compiled.reply.log))));
    compiled.cubin = reply->blobs[compiled.reply.cubin];
    compiled.ptx = reply->blobs[compiled.reply.ptx];
    const std::lock_guard lock(m_mutex);
    m_idle[job.withHeaders].push_back(std::move(*channel));
    return compiled;
}

Error CudaBuilder::ofThisToolkit(Error trouble) const
{
    if (!m_toolkit->notFollowed.empty())
        trouble.hint += " (" + m_toolkit->notFollowed + ")";
    return trouble;
}

Result<std::string> CudaBuilder::buildTrusted(
    const std::string& text, const std::string& fileName, const CudaFacts& facts)
{
    if (m_toolkit && m_toolkit->include.empty() && includesHeaders(text))
        return fail("build/no-headers",
            "this machine has no CUDA headers, which " + fileName + " includes: install the CUDA toolkit's");
    auto compiled
        = compile({text, fileName, facts.architecture(),
                      {"--std=c++20", "-default-device", "--modify-stack-limit=false"}, {}, 60, includesHeaders(text)},
            never);
    if (!compiled)
        return std::unexpected(compiled.error());
    if (!compiled->reply.ok)
        return fail("task/reference", fileName + " does not build: " + firstComplaint(compiled->reply.log), "",
            {{"log", compiled->reply.log}});
    return std::move(compiled->cubin);
}

Result<std::vector<CudaArtifact::ShapePlan>> CudaBuilder::plans(const Task& task, const std::string& source,
    const std::vector<Shape>& shapes, const CudaFacts& facts, BuildOutcome& outcome, const Cancelled& cancelled)
{
    std::vector<CudaArtifact::ShapePlan> plans;
    // A name that the candidate cannot know, so that it cannot be the table.
    const std::string table = "tilewright_plans_" + hexNumber(leading64(hmacSha256(m_secret, "table " + source)));
    Compilation job;
    job.fileName = sourceName;
    const std::string program = planOnlyPrelude() + cudaCandidateHeader(task, sourceName) + source;
    job.text = program + planTable(table, shapes, facts);
    job.architecture = facts.architecture();
    job.options = candidateOptions(task);
    job.options.emplace_back("--diag-suppress=177");
    job.seconds = task.limits.buildSeconds;
    job.withHeaders = includesHeaders(source);
    const auto compiled = compile(job, cancelled);
    if (!compiled)
        return std::unexpected(compiled.error());
    outcome.log = withoutReport(compiled->reply.log);
    if (!compiled->reply.ok && isOfNoConstant(outcome.log))
        return std::unexpected(whyNoConstant(std::move(job), program, shapes, facts, outcome, cancelled));
    if (!compiled->reply.ok) {
        Error complaint = planComplaint(outcome.log, source);
        outcome.log = withoutRepeats(outcome.log);
        return std::unexpected(std::move(complaint));
    }
    const auto cubin = Cubin::parse(compiled->cubin);
    if (!cubin)
        return std::unexpected(cubin.error());
    const CubinSymbol* records = cubin->symbol(table);
    if (!records || records->bytes.size() != shapes.size() * planRecordBytes())
        return fail("build/plan",
            "the program has no table of its plans: tilewright_plan() plans nothing, or the table is hidden");
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        auto plan = readPlan(records->bytes.substr(i * planRecordBytes(), planRecordBytes()), task, shapes[i], facts);
        if (!plan)
            return std::unexpected(plan.error());
        plans.push_back({shapes[i], false, std::move(*plan)});
    }
    return plans;
}

Error CudaBuilder::whyNoConstant(Compilation job, const std::string& program, const std::vector<Shape>& shapes,
    const CudaFacts& facts, BuildOutcome& outcome, const Cancelled& cancelled)
{
    // What ends for no shape is not tried with every one: each takes the compiler's patience anew.
    for (const std::size_t count : {std::size_t(1), shapes.size()}) {
        job.text = program + planProbes({shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(count)}, facts);
        const auto compiled = compile(job, cancelled);
        if (!compiled && isNodesOwnRule(compiled.error().code))
            return compiled.error();
        if (!compiled)
            break; // it does not come to its end with this either: the table has told enough
        if (!compiled->reply.ok) {
            outcome.log = withoutReport(compiled->reply.log);
            break;
        }
    }
    outcome.log = withoutRepeats(outcome.log);
    return noConstantComplaint(outcome.log, job.fileName, shapes);
}

Result<void> CudaBuilder::inspect(const Compiled& compiled, CudaArtifact& artifact) const
{
    const auto cubin = Cubin::parse(compiled.cubin);
    if (!cubin)
        return std::unexpected(cubin.error());
    const ModuleVariables variables = moduleVariables(compiled.ptx, cubin->variables());
    if (m_rules == StaticRules::On) {
        if (auto checked = checkCubin(*cubin); !checked)
            return checked;
        if (const std::string found = forbiddenInstruction(compiled.ptx); !found.empty())
            return fail("build/instruction", "an instruction that is not allowed: " + found, "", {{"found", found}});
        if (!variables.written.empty())
            return fail("build/writable-data", "module variables keep state between launches and are not allowed", "",
                {{"found", variables.written.front()}});
    }
    artifact.reloadAlways = !variables.used.empty() || !variables.written.empty();
    return {};
}

Result<nlohmann::json> CudaBuilder::resolve(CudaArtifact& artifact, const Task& task, const CudaFacts& facts)
{
    const auto cubin = Cubin::parse(artifact.cubin);
    if (!cubin)
        return std::unexpected(cubin.error());
    // The argument's alignment is 64; its size is that of the generated Args.
    const std::size_t pointers = (128 * 8 + 4 * task.dims.size() + 7) / 8 * 8;
    const std::size_t wanted = (pointers + 8 * (task.tensors.size() + 1) + 4 * 8 + 63) / 64 * 64;
    nlohmann::json kernels = nlohmann::json::array();
    std::set<std::string> told;
    for (CudaArtifact::ShapePlan& shape : artifact.plans) {
        for (GpuLaunch& launch : shape.plan.launches) {
            const std::string written = launch.entry;
            const auto lowered = artifact.kernels.find(written);
            const CubinKernel* kernel = lowered == artifact.kernels.end() ? nullptr : cubin->kernel(lowered->second);
            if (!kernel)
                return fail(
                    "build/no-kernel", "the plan names '" + written + "', which is not a kernel of the program");
            launch.entry = kernel->name;
            if (kernel->parameters != 1 || kernel->parameterBytes != static_cast<std::int64_t>(wanted))
                return fail(
                    "build/arguments", "'" + written + "' must take one argument, const __grid_constant__ Args");
            const KernelNeeds needs{kernel->registers,
                static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]),
                std::max<std::int64_t>(0, kernel->staticShared - facts.reservedSharedPerBlock) + launch.dynamicShared};
            const Occupancy occupancy = occupancyOf(facts, needs);
            if (auto fits = checkCooperative(launch, written, shape.shape, occupancy, facts); !fits)
                return std::unexpected(fits.error());
            if (!told.insert(written + " " + std::to_string(needs.threads) + " " + std::to_string(needs.sharedBytes))
                     .second)
                continue;
            kernels.push_back({{"kernel", written}, {"registers", kernel->registers}, {"threads", needs.threads},
                {"shared_bytes", needs.sharedBytes}, {"local_bytes", kernel->frameBytes},
                {"code_bytes", kernel->codeBytes}, {"occupancy", occupancy.warps}, {"blocks_per_sm", occupancy.blocks},
                {"limited_by", occupancy.limit}});
        }
    }
    return kernels;
}

CudaBuilder::Compilation CudaBuilder::kernelsOf(const Task& task, const std::string& source,
    const std::string& architecture, const std::set<std::string>& kernels) const
{
    Compilation job;
    job.fileName = sourceName;
    job.text = cudaCandidateHeader(task, sourceName) + source;
    job.architecture = architecture;
    job.options = candidateOptions(task);
    job.expressions.assign(kernels.begin(), kernels.end());
    job.seconds = task.limits.buildSeconds;
    job.withHeaders = includesHeaders(source);
    return job;
}

Result<void> CudaBuilder::compileKernels(const Task& task, const std::string& source, const CudaFacts& facts,
    CudaArtifact& artifact, BuildOutcome& outcome, const Cancelled& cancelled)
{
    auto compiled = compile(kernelsOf(task, source, facts.architecture(), namesIn(artifact.plans)), cancelled);
    if (!compiled)
        return std::unexpected(compiled.error());
    outcome.log = withoutReport(compiled->reply.log);
    if (!compiled->reply.ok)
        return std::unexpected(kernelsComplaint(compiled->reply.log));
    if (auto inspected = inspect(*compiled, artifact); !inspected)
        return inspected;
    artifact.kernels = std::move(compiled->reply.lowered);
    artifact.cubin = std::move(compiled->cubin);
    artifact.cubinHash = sha256(artifact.cubin);
    const auto kernels = resolve(artifact, task, facts);
    if (!kernels)
        return std::unexpected(kernels.error());
    int mostRegisters = 0;
    for (const nlohmann::json& kernel : *kernels)
        mostRegisters = std::max(mostRegisters, kernel.at("registers").get<int>());
    outcome.resources = {{"registers", mostRegisters}, {"spill_bytes", spilledBytes(compiled->reply.log)},
        {"kernels", *kernels}, {"cubin_bytes", artifact.cubin.size()}, {"ptx_sha256", sha256(compiled->ptx).hex()},
        {"cubin_sha256", artifact.cubinHash.hex()}};
    return {};
}

void CudaBuilder::addHotLoops(const CudaArtifact& artifact, nlohmann::json& resources, const Cancelled& cancelled) const
{
    const Disassembler disassembler(m_sandbox, m_cpus);
    const auto shown = disassembler.disassembly(ListingForm::Sass, artifact.cubin, cancelled);
    if (!shown || shown->wasCut)
        return;
    std::map<std::string, GpuLoopMix> loops; // by symbol
    for (GpuLoopMix& loop : hottestLoops(shown->text)) {
        std::string symbol = loop.kernel;
        loops[std::move(symbol)] = std::move(loop);
    }
    for (nlohmann::json& kernel : resources.at("kernels")) {
        const auto written = kernel.at("kernel").get<std::string>();
        const auto symbol = artifact.kernels.find(written);
        const auto loop = symbol == artifact.kernels.end() ? loops.end() : loops.find(symbol->second);
        if (loop == loops.end())
            continue;
        loop->second.kernel = written;
        kernel["hot_loop"] = loop->second.json();
    }
}

BuildOutcome CudaBuilder::build(const Task& task, const std::string& source, const CudaFacts& facts,
    const Cancelled& cancelled, std::string& object)
{
    BuildOutcome outcome;
    CudaArtifact artifact;
    std::vector<Shape> shapes = announcedShapes(task);
    const std::size_t announced = shapes.size();
    const std::uint64_t seed = leading64(hmacSha256(m_secret, "shapes " + programIdentity(source).hex()));
    for (Shape& shape : unannouncedShapes(task, seed, unannouncedCount))
        shapes.push_back(std::move(shape));
    auto planned = plans(task, source, shapes, facts, outcome, cancelled);
    if (!planned) {
        refuse(outcome, planned.error());
        return outcome;
    }
    artifact.plans = std::move(*planned);
    for (std::size_t i = announced; i < artifact.plans.size(); ++i)
        artifact.plans[i].unannounced = true;
    if (auto compiled = compileKernels(task, source, facts, artifact, outcome, cancelled); !compiled) {
        refuse(outcome, compiled.error());
        return outcome;
    }
    addHotLoops(artifact, outcome.resources, cancelled);
    object = artifact.bytes();
    outcome.ok = true;
    outcome.artifact = sha256(object);
    outcome.resources["code_bytes"] = codeBytes(source);
    if (outcome.log.find("warning") != std::string::npos)
        outcome.warnings.emplace_back("static/compiler-warning");
    return outcome;
}

Result<CudaArtifact> CudaBuilder::planned(const Task& task, const Hash& artifact, const std::vector<Shape>& shapes,
    const CudaFacts& facts, const Cancelled& cancelled)
{
    const auto known = this->artifact(artifact);
    if (!known)
        return std::unexpected(known.error());
    const std::string source = sourceOf(artifact);
    if (source.empty())
        return fail("build/no-artifact", "a built program's text is missing from the cache", "it will be built again");
    BuildOutcome outcome; // its log is nobody's concern: the program was built before
    auto plansOfShapes = plans(task, source, shapes, facts, outcome, cancelled);
    if (!plansOfShapes)
        return std::unexpected(plansOfShapes.error());
    CudaArtifact planned{std::move(*plansOfShapes), (*known)->kernels, (*known)->reloadAlways, {}, {}};
    const auto isKnown = [&](const std::string& name) { return planned.kernels.contains(name); };
    if (!std::ranges::all_of(namesIn(planned.plans), isKnown)) {
        if (auto compiled = compileKernels(task, source, facts, planned, outcome, cancelled); !compiled)
            return std::unexpected(compiled.error());
        return planned;
    }
    planned.cubin = (*known)->cubin;
    planned.cubinHash = (*known)->cubinHash;
    if (const auto kernels = resolve(planned, task, facts); !kernels)
        return std::unexpected(kernels.error());
    return planned;
}

Result<void> CudaBuilder::checkCompilable(const Task& task, const std::string& source) const
{
    if (auto allowed = checkSource(task, source); !allowed)
        return allowed;
    if (const std::string include = forbiddenInclude(source); m_rules == StaticRules::On && !include.empty())
        return std::unexpected(foreignHeader(include));
    if (m_toolkit && m_toolkit->include.empty() && includesHeaders(source))
        return fail("build/no-headers", "this machine has no CUDA headers, which the program includes",
            "install the CUDA toolkit's headers");
    if (!m_toolkit)
        return fail("build/no-compiler", m_toolkit.error().text, m_toolkit.error().hint);
    return {};
}

Result<KernelCode> CudaBuilder::kernelsAgain(const Task& task, const std::string& source,
    const std::string& architecture, const std::vector<std::string>& kernels, const Cancelled& cancelled)
{
    if (auto compilable = checkCompilable(task, source); !compilable)
        return std::unexpected(compilable.error());
    auto compiled = compile(kernelsOf(task, source, architecture, {kernels.begin(), kernels.end()}), cancelled);
    if (!compiled)
        return std::unexpected(compiled.error());
    if (!compiled->reply.ok)
        return std::unexpected(kernelsComplaint(compiled->reply.log));
    return KernelCode{std::move(compiled->cubin), std::move(compiled->ptx)};
}

BuildOutcome CudaBuilder::buildCandidate(
    const Task& task, const std::string& source, const CudaFacts& facts, const Cancelled& cancelled)
{
    if (const auto compilable = checkCompilable(task, source); !compilable) {
        BuildOutcome refused;
        refuse(refused, compilable.error());
        return refused;
    }
    std::string identity = std::string(cudaCacheFormat) + (m_rules == StaticRules::Off ? " off" : "") + '\0'
        + m_toolkit->nvrtc.string() + '\0' + std::to_string(facts.sms) + ' ' + std::to_string(facts.sharedPerBlock)
        + ' ' + facts.architecture() + '\0' + cudaCandidateHeader(task, sourceName)
        + planTable("", announcedShapes(task), facts) + std::to_string(task.limits.workspaceBytes);
    for (const std::string& option : candidateOptions(task))
        identity += '\0' + option;
    const Hash key = sha256(identity + '\0' + source);
    if (auto known = m_cache.find(key))
        return *known;
    std::string object;
    BuildOutcome outcome = build(task, source, facts, cancelled, object);
    if (isKept(outcome))
        if (auto stored = m_cache.store(key, outcome, object, source); !stored)
            refuse(outcome, stored.error());
    return outcome;
}

Result<std::shared_ptr<const CudaArtifact>> CudaBuilder::artifact(const Hash& hash) const
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = std::ranges::find(m_recent, hash, &Recent::first); known != m_recent.end())
            return known->second;
    }
    const auto path = m_cache.objectPath(hash);
    if (!path)
        return std::unexpected(path.error());
    const auto bytes = readFile(*path);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto artifact = CudaArtifact::fromBytes(*bytes);
    if (!artifact)
        return std::unexpected(artifact.error());
    const std::lock_guard lock(m_mutex);
    if (m_recent.size() >= mostRecent)
        m_recent.pop_front();
    return m_recent.emplace_back(hash, std::make_shared<const CudaArtifact>(std::move(*artifact))).second;
}

} // namespace tilewright
