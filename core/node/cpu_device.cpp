// SPDX-License-Identifier: Apache-2.0
#include "core/node/cpu_device.h"

#include "core/base/text.h"
#include "core/node/child_process.h"
#include "core/node/cpu_timing.h"
#include "core/node/output_gates.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace tilewright {

namespace {

/// A process of its own asks the library: in this one it would start threads.
std::string vendorName(const std::filesystem::path& worker)
{
    ChildSetup setup;
    setup.command = {"env", "-u", "OPENBLAS_CORETYPE", worker.string(), "vendor-name"}; // as where it is timed
    const auto told = runUndisturbed(setup, std::chrono::seconds(10), 1024);
    return told && told->status.clean() ? std::string(trimmed(told->output)) : std::string();
}

} // namespace

CpuDevice::CpuDevice(const Sandbox& sandbox, const Builder& builder, std::filesystem::path worker, std::string secret)
    : m_sandbox(sandbox)
    , m_builder(builder)
    , m_worker(std::move(worker))
    , m_secret(std::move(secret))
    , m_facts(readCpuFacts())
    , m_cores(splitCores())
    , m_vendor(vendorName(m_worker))
    , m_throttledAtFirst(readCpuTelemetry(m_cores.measuring).throttled)
{
}

CpuDevice::~CpuDevice() = default;

HelloReply::Device CpuDevice::describe() const
{
    HelloReply::Device device;
    device.id = id();
    device.name = m_facts.model.empty() ? "CPU" : m_facts.model;
    device.arch = "native";
    device.isolation = m_sandbox.isolation();
    device.facts = {{"features", m_facts.features}, {"cores", m_facts.cores}, {"measuring_core", m_cores.measuring},
        {"l1d_bytes", m_facts.l1dBytes}, {"l2_bytes", m_facts.l2Bytes}, {"l3_bytes", m_facts.l3Bytes},
        {"memory_bytes", m_facts.memoryBytes}, {"compiler", m_builder.compiler()}, {"openblas", m_vendor},
        {"isolation_reason", m_sandbox.reason()}, {"builds_wait_for_timing", m_cores.buildsWait()}};
    if (!m_facts.microarchitecture.empty())
        device.facts["microarchitecture"] = m_facts.microarchitecture;
    return device;
}

Telemetry CpuDevice::telemetry() const
{
    Telemetry telemetry;
    telemetry.device = id();
    telemetry.mhz = m_mhz;
    telemetry.noiseFloor = m_floor;
    telemetry.isolation = m_sandbox.isolation();
    const CpuTelemetry reading = readCpuTelemetry(m_cores.measuring);
    telemetry.nowMhz = reading.mhz;
    telemetry.temperature = reading.temperature;
    if (reading.throttled && m_throttledAtFirst) {
        const std::int64_t since = *reading.throttled - *m_throttledAtFirst;
        telemetry.throttling = since > 0 ? "heat, " + std::to_string(since) + " times since the start" : "";
    }
    return telemetry;
}

void CpuDevice::acquire()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(m_cores.clock), &set);
    sched_setaffinity(0, sizeof set, &set);
    // On a core of its own the clock competes with the window and the builds like everybody else, and a sample in which
    // it lost is taken again. On a shared core it must outrank the guest, or no deadline would ever come true.
    const sched_param priority{m_cores.hasOwnClock() ? 0 : nodePriority};
    const int policy = m_cores.hasOwnClock() ? SCHED_OTHER : SCHED_FIFO;
    if (sched_setscheduler(0, policy, &priority) == 0)
        m_priority = policy == SCHED_FIFO ? "real-time" : "ordinary, guest real-time where allowed";
    m_lock.emplace("cpu" + std::to_string(m_cores.measuring));
}

std::string CpuDevice::seedText(const std::string& evaluation) const { return hmacSha256(m_secret, evaluation).hex(); }

Result<std::shared_ptr<const Reference>> CpuDevice::reference(const TaskPack& pack, const Hash& task)
{
    if (const auto known = m_references.find(task); known != m_references.end())
        return known->second;
    if (auto possible = checkCanBeEvaluated(pack.task); !possible)
        return std::unexpected(possible.error());
    auto loaded = Reference::load(m_builder, pack);
    if (!loaded)
        return loaded;
    if (isProduct(pack.task)) {
        if (auto strict = calibrateGates(pack.task); !strict)
            return std::unexpected(strict.error());
        m_calibrated.insert(task);
    }
    return m_references[task] = *loaded;
}

Result<void> CpuDevice::calibrate(const TaskPack& pack, const Hash& task, const Reference& reference)
{
    if (m_calibrated.contains(task))
        return {};
    auto strict = calibrateOutputs(pack.task, reference);
    if (strict)
        m_calibrated.insert(task);
    return strict;
}

Result<std::unique_ptr<Arena>> CpuDevice::startArena(
    const Task& task, const std::string& object, const CheckPlan& plan) const
{
    return Arena::start(m_sandbox, m_worker, object, task, Checker::shapesOf(task, plan), m_cores, m_awake.get());
}

nlohmann::json CpuDevice::environment(const Task& task) const
{
    return {{"device", describe().name}, {"device_id", id()}, {"class", "cpu"}, {"compiler", m_builder.compiler()},
        {"isolation", m_sandbox.isolation()}, {"mode", task.timingMode}, {"threads", task.threads},
        {"clock", m_cores.hasOwnClock() ? "node, CLOCK_MONOTONIC" : "kernel, processor time of the program"},
        {"measuring_core", m_cores.measuring}, {"priority", m_priority}};
}

CheckReply CpuDevice::check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const JobLock lock(*m_lock, job);
    if (!lock.held())
        return refusedCheck(request.id, lock.whyNot());
    const auto start = std::chrono::steady_clock::now(); // waiting for others is no work
    const auto truth = reference(pack, request.task);
    const auto object = m_builder.artifactPath(request.artifact);
    if (!truth || !object)
        return refusedCheck(request.id, truth ? object.error() : truth.error());
    CheckPlan plan;
    plan.seedText = seedText(request.evaluation);
    plan.all = request.all;
    plan.cancelled = job.cancelled;
    plan.progress = [&](double done, double of) { job.progress("checking", done, of); };
    auto arena = startArena(pack.task, *object, plan);
    if (!arena)
        return refusedCheck(request.id, arena.error());
    auto passed = Checker(pack.task, **truth, **arena).check(plan);
    // After a program has run in its cage on every shape: the reference is often the first program itself, and only
    // then known to stay within its tensors.
    if (passed)
        if (auto strict = calibrate(pack, request.task, **truth); !strict)
            passed = std::unexpected(strict.error());
    CheckReply reply = checkReply(request.id, passed);
    reply.wallNs = (std::chrono::steady_clock::now() - start).count();
    return reply;
}

} // namespace tilewright
