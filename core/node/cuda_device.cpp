// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_device.h"

#include "core/node/block_field.h"
#include "core/node/checker.h"
#include "core/node/gpu_checks.h"
#include "core/node/gpu_gates.h"
#include "core/protocol/gpu_canary.h"
#include "core/protocol/gpu_kernels.h"

#include <algorithm>
#include <thread>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr int startAttempts = 3;
constexpr auto startPause = std::chrono::milliseconds(150);

/// Why a worker in which nothing of a candidate has run does not work.
Error ofStart(const Error& error, const std::string& gpu)
{
    if (error.code == "run/load")
        return gpuTrouble("device/architecture",
            "Tilewright's own kernels cannot be loaded onto " + gpu + ": " + error.text, error.evidence);
    if (error.code == "run/canary")
        return gpuTrouble(
            "device/fault", gpu + " computes wrong results: " + error.text + ", in a fresh worker", error.evidence);
    if (error.code.starts_with("run/"))
        return gpuTrouble("device/worker", "a GPU worker does not start: " + error.text, error.evidence);
    return error;
}

} // namespace

CudaDevice::CudaDevice(const Sandbox& sandbox, CudaBuilder& builder, std::filesystem::path worker, std::string secret,
    CudaFacts facts, References references)
    : m_sandbox(sandbox)
    , m_builder(builder)
    , m_worker(std::move(worker))
    , m_secret(std::move(secret))
    , m_seeds(m_secret)
    , m_facts(std::move(facts))
    , m_references(references)
    , m_nvml(Nvml::open(m_facts.uuid))
    , m_turns(m_facts.uuid, m_facts.name)
    , m_tools(m_sandbox, m_worker, m_facts.uuid, m_turns.stuck())
{
}

CudaDevice::~CudaDevice() = default;

HelloReply::Device CudaDevice::describe() const
{
    HelloReply::Device device;
    device.id = m_facts.uuid;
    device.name = m_facts.name;
    device.arch = m_facts.architecture();
    device.isolation = m_sandbox.isolation();
    device.facts = {{"sms", m_facts.sms}, {"memory_bytes", m_facts.memoryBytes}, {"l2_bytes", m_facts.l2Bytes},
        {"shared_per_block_bytes", m_facts.sharedPerBlock}, {"shared_per_sm_bytes", m_facts.sharedPerSm},
        {"registers_per_sm", m_facts.registersPerSm}, {"clock_mhz", m_facts.clockKhz / 1000},
        {"bandwidth_bytes_per_s", m_facts.bandwidth()}, {"fp32_flops_per_s", m_facts.fp32Peak()},
        {"bf16_flops_per_s", m_facts.bf16Peak()}, {"cuda_driver", m_facts.driver},
        {"driver", m_nvml ? m_nvml->driverVersion() : ""}, {"compiler", m_builder.compiler()},
        {"pageable_memory_access", m_facts.pageableAccess}, {"kernel_timeout", m_facts.kernelTimeout},
        {"isolation_reason", m_sandbox.reason()}};
    // Known before anything is compiled, unlike the version that the library tells: "libnvrtc.so.12.4.127".
    if (const auto toolkit = CudaToolkit::find()) {
        std::error_code problem;
        const std::filesystem::path library = std::filesystem::canonical(toolkit->nvrtc, problem);
        device.facts["nvrtc"] = (problem ? toolkit->nvrtc : library).filename().string();
    }
    device.facts["cuda_headers"] = !m_builder.headers().empty();
    if (!m_builder.isAvailable())
        device.facts["no_compiler"] = m_builder.whyNot().line();
    return device;
}

Telemetry CudaDevice::telemetry() const
{
    m_turns.look(); // nobody may ask for the GPU for a while, and others wait for it
    Telemetry telemetry;
    telemetry.device = m_facts.uuid;
    telemetry.mhz = m_mhz;
    telemetry.noiseFloor = m_floor;
    telemetry.isolation = m_sandbox.isolation();
    if (m_nvml) {
        const GpuTelemetry reading = m_nvml->read();
        telemetry.temperature = reading.temperature;
        telemetry.nowMhz = reading.smMhz;
        telemetry.watts = reading.watts;
        if (reading.reasons)
            telemetry.throttling = Nvml::throttling(*reading.reasons);
    }
    return telemetry;
}

nlohmann::json CudaDevice::environment(const Task& task) const
{
    nlohmann::json json{{"device", m_facts.name}, {"device_id", m_facts.uuid}, {"class", m_facts.architecture()},
        {"compiler", m_builder.compiler()}, {"cuda_driver", m_facts.driver},
        {"isolation", m_sandbox.isolation() + (m_facts.pageableAccess ? ", device code can read host memory" : "")},
        {"mode", task.timingMode}, {"clock", "events, checked against the node's clock"}};
    if (m_references == References::Open && m_process)
        json["open_references"] = m_process->openReferences();
    if (m_nvml) {
        const GpuTelemetry reading = m_nvml->recent();
        json["driver"] = m_nvml->driverVersion();
        json["temp_c"] = reading.temperature ? nlohmann::json(*reading.temperature) : nlohmann::json(nullptr);
        json["power_w"] = reading.watts ? nlohmann::json(*reading.watts) : nlohmann::json(nullptr);
        json["clock_reasons"] = reading.reasons ? nlohmann::json(*reading.reasons) : nlohmann::json(nullptr);
    }
    return json;
}

double floorNs(const CudaFacts& facts, const Task& task, const Shape& shape)
{
    const double peak = task.tensors[0].dtype == Dtype::Fp32 ? facts.fp32Peak() : facts.bf16Peak();
    double bytes = task.bytesOf(shape);
    if (!isProduct(task)) { // a user's guess; and what is written may stay in the cache
        double inputs = 0;
        for (const Tensor& tensor : task.tensors)
            if (tensor.role == TensorRole::Input)
                inputs
                    += static_cast<double>(task.elementsOf(tensor, shape)) * static_cast<double>(bytesOf(tensor.dtype));
        bytes = std::min(bytes, inputs);
    }
    return rooflineNs(task.leastFlopsOf(shape), bytes, peak, facts.bandwidth());
}

Result<const CudaDevice::Trusted*> CudaDevice::trusted(const TaskPack& pack, const Hash& task)
{
    if (const auto known = m_trusted.find(task); known != m_trusted.end())
        return &known->second;
    if (auto possible = checkCanBeEvaluated(pack.task); !possible)
        return std::unexpected(possible.error());
    if (auto possible = checkRings(pack.task, m_facts.l2Bytes); !possible)
        return std::unexpected(possible.error());
    if (auto possible = checkRoom(pack.task, m_facts); !possible)
        return std::unexpected(possible.error());
    if (isProduct(pack.task)) // of others only the reference knows: calibrate()
        if (auto strict = calibrateGates(pack.task); !strict)
            return std::unexpected(strict.error());
    auto kernels = m_builder.buildTrusted(gpuKernels(gpuFormatsOf(pack.task)) + gpuCanaryText, "kernels.cu", m_facts);
    if (!kernels)
        return std::unexpected(kernels.error());
    auto reference = buildGpuReference(m_builder, pack, m_facts);
    if (!reference)
        return std::unexpected(reference.error());
    return &(m_trusted[task] = {std::move(*kernels), std::move(*reference)});
}

Result<std::unique_ptr<GpuProcess>> CudaDevice::startProcess(const TaskPack& pack, const Hash& task, bool isVerifier)
{
    const auto code = trusted(pack, task);
    if (!code)
        return std::unexpected(code.error());
    GpuProcessSetup setup;
    setup.worker = m_worker;
    if (const auto toolkit = CudaToolkit::find())
        setup.libraries = toolkit->libraries;
    setup.facts = m_facts;
    setup.minorNumber = m_nvml ? m_nvml->minorNumber() : std::nullopt;
    setup.stuck = &m_turns.stuck();
    setup.isFirstProcess = !isVerifier;
    setup.openReferences = m_references == References::Open && !isVerifier;
    setup.kernels = (*code)->kernels;
    setup.reference = (*code)->reference;
    setup.formats = gpuFormatsOf(pack.task);
    setBuffers(setup, pack.task);
    growForRings(setup, pack.task);
    // A worker that was killed may hold the GPU for a moment longer.
    for (int attempt = 1;; ++attempt) {
        if (auto trouble = m_turns.look())
            return std::unexpected(std::move(*trouble));
        auto started = GpuProcess::start(m_sandbox, setup);
        if (started)
            if (auto sound = proveSound(**started); !sound)
                started = std::unexpected(sound.error());
        if (started)
            if (auto strict = calibrate(**started, pack, task); !strict)
                return std::unexpected(strict.error());
        if (started || started.error().code == "device/memory" || attempt == startAttempts)
            return started ? std::move(started) : std::unexpected(ofStart(started.error(), m_facts.name));
        std::this_thread::sleep_for(startPause * attempt);
    }
}

GpuProcess::Canary CudaDevice::nextCanary()
{
    constexpr std::size_t different = 8;
    while (m_canaries.size() < different) {
        const std::uint64_t seed = leading64(hmacSha256(m_secret, "canary " + std::to_string(m_canaries.size())));
        m_canaries.push_back({seed, canaryDigest(seed, static_cast<unsigned>(m_facts.sms))});
    }
    return m_canaries[m_canariesFlown++ % different];
}

Result<void> CudaDevice::proveSound(GpuProcess& process)
{
    const auto begun = std::chrono::steady_clock::now();
    auto sound = process.canary(nextCanary());
    m_checkingNs["canary"] += static_cast<double>((std::chrono::steady_clock::now() - begun).count());
    return sound;
}

Result<GpuTurns::Turn> CudaDevice::takeTurn(const DeviceJob& job)
{
    auto turn = m_turns.take(job);
    if (turn)
        if (auto sound = ifNoFault(Result<void>()); !sound)
            return std::unexpected(sound.error());
    return turn;
}

Result<GpuProcess*> CudaDevice::process(const TaskPack& pack, const Hash& task)
{
    if (!m_process || !m_process->isAlive() || m_processTask != task) {
        m_process.reset();
        auto started = startProcess(pack, task);
        if (!started)
            return std::unexpected(started.error());
        m_process = std::move(*started);
        m_processTask = task;
    }
    return m_process.get();
}

void CudaDevice::foresee(const CheckRequest& request, const TaskPack& pack)
{
    constexpr std::size_t most = 32; // what comes later is put together in its turn
    const auto program = m_builder.artifact(request.artifact);
    if (!program)
        return; // told when its turn comes
    const std::string text = m_seeds.next(request.evaluation);
    auto checks = checksOf(pack.task, **program, text, request.all);
    if (!checks)
        return;
    const std::lock_guard lock(m_foreseeing);
    if (m_foreseen.size() < most)
        m_foreseen.emplace_back(request.id, std::move(*checks));
}

std::optional<GpuChecks> CudaDevice::takeForeseen(std::int64_t request)
{
    const std::lock_guard lock(m_foreseeing);
    // Checks have their turns in the order of their requests: whatever stands before this one was cancelled.
    while (!m_foreseen.empty() && m_foreseen.front().first < request)
        m_foreseen.pop_front();
    if (m_foreseen.empty() || m_foreseen.front().first != request)
        return std::nullopt;
    std::optional<GpuChecks> checks(std::move(m_foreseen.front().second));
    m_foreseen.pop_front();
    return checks;
}

Result<void> CudaDevice::runChecks(
    GpuProcess& process, const Task& task, const GpuChecks& checks, const LaunchChecks& on)
{
    const auto& [launches, verifications, firsts] = checks;
    const auto take = [&](std::size_t which, const Result<GpuProcess::VerifyReplies>& replies) -> Result<void> {
        const std::size_t first = firsts[which], few = verifications[which].requests.size();
        if (!replies) {
            const nlohmann::json& evidence = replies.error().evidence;
            const std::size_t item = few == 1 ? 0 : evidence.is_object() ? evidence.value("item", few) : few;
            if (item < few)
                return std::unexpected(on.about(replies.error(), launches[first + item]));
            Error error = replies.error();
            error.text += " (in one of " + std::to_string(few) + " launches)";
            return std::unexpected(std::move(error));
        }
        for (std::size_t i = 0; i < few; ++i) {
            const VerifyReply& reply = (*replies)[i];
            const CheckedLaunch& launch = launches[first + i];
            for (const auto& [what, ns] : reply.spentNs)
                on.spentNs[on.prefix + what] += ns;
            const auto passed = isProduct(task)
                ? checkVerified(reply, task, productShape(task, launch.shape), launch.kind)
                : checkOperation(reply, task, launch.shape, launch.kind);
            if (!passed)
                return std::unexpected(on.about(passed.error(), launch));
            on.passed(launch, passed->on(launch.shape, nameOf(launch.kind)));
        }
        on.job.progress(on.step, static_cast<double>(first + few), static_cast<double>(launches.size()));
        return on.job.cancelled() ? Result<void>(fail("cancelled", "the " + on.work + " was cancelled"))
                                  : Result<void>();
    };
    return process.verify(verifications, take, nextCanary());
}

Result<PassedChecks> CudaDevice::checkWith(GpuProcess& process, const TaskPack& pack, const Hash& artifact,
    const DeviceJob& job, const std::function<Result<GpuChecks>(const CudaArtifact&)>& checksOfProgram)
{
    const auto program = m_builder.artifact(artifact);
    if (!program)
        return std::unexpected(program.error());
    if (auto loaded = process.load("candidate", artifact, **program); !loaded)
        return std::unexpected(loaded.error());
    const Result<GpuChecks> checks = checksOfProgram(**program); // while it is loaded
    if (!checks)
        return std::unexpected(checks.error());
    const bool product = isProduct(pack.task);
    MeasuredChecks measured;
    LaunchChecks on{job, "checking", "check", m_checkingNs, "", {}, {}};
    // About one launch: which it was is part of the evidence.
    on.about = [](Error error, const CheckedLaunch& launch) {
        if (!error.evidence.is_object())
            error.evidence = nlohmann::json::object();
        error.evidence["shape"] = launch.shape;
        error.evidence["inputs"] = nameOf(launch.kind);
        error.text += " (" + shapeText(launch.shape) + ", " + nameOf(launch.kind) + " inputs)";
        return error;
    };
    on.passed = [&](const CheckedLaunch& launch, const MeasuredChecks& found) {
        measured.add(found);
        if (launch.isUnannounced)
            measured.add(found.asPartOf("unannounced-shapes"));
    };
    const auto begun = std::chrono::steady_clock::now();
    const auto verified = runChecks(process, pack.task, *checks, on);
    m_checkingNs["asked"] += static_cast<double>((std::chrono::steady_clock::now() - begun).count());
    if (!verified)
        return std::unexpected(verified.error());
    const bool exact = !product && pack.task.numeric.bound == NumericBound::Exact;
    std::vector<std::string> gates{"written", exact ? "exact" : "norm"};
    if (pack.task.numeric.error == ErrorMeasure::Componentwise && !exact)
        gates.emplace_back("elementwise");
    if (product)
        gates.emplace_back("exact-integer");
    for (const char* gate : {"poison", "red-zones", "inputs-unchanged"})
        gates.emplace_back(gate);
    if (product || !unannouncedShapes(pack.task, 0, 1).empty())
        gates.emplace_back("unannounced-shapes");
    if (!pack.task.numeric.allowAtomics)
        gates.emplace_back("determinism");
    return PassedChecks{std::move(gates), std::move(measured)};
}

CheckReply CudaDevice::check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const auto turn = takeTurn(job);
    if (!turn)
        return refusedCheck(request.id, turn.error());
    const auto start = std::chrono::steady_clock::now(); // waiting for others is no work
    std::optional<GpuChecks> foreseen = takeForeseen(request.id);
    const auto checks = [&](const CudaArtifact& program) -> Result<GpuChecks> {
        if (auto first = std::exchange(foreseen, std::nullopt)) // each try on other inputs
            return std::move(*first);
        return checksOf(pack.task, program, m_seeds.next(request.evaluation), request.all);
    };
    const auto attempt = [&](int) -> Result<PassedChecks> {
        const auto worker = process(pack, request.task);
        if (!worker)
            return std::unexpected(worker.error());
        return ifSound(**worker, checkWith(**worker, pack, request.artifact, job, checks));
    };
    CheckReply reply = checkReply(request.id, ifNoFault(untilTrusted(attempt, false)));
    reply.wallNs = (std::chrono::steady_clock::now() - start).count();
    return reply;
}

} // namespace tilewright
