// SPDX-License-Identifier: Apache-2.0
// An NVIDIA GPU as a device: one exclusive lock across nodes, a warm GPU worker for screening, fresh ones for
// confirming, its noise floor. Measuring thread only, but for describe() and telemetry().
#pragma once

#include "core/node/block_field.h"
#include "core/node/counting_turns.h"
#include "core/node/cuda_builder.h"
#include "core/node/device.h"
#include "core/node/gpu_checks.h"
#include "core/node/gpu_tools.h"
#include "core/node/gpu_turns.h"
#include "core/node/inputs.h"
#include "core/node/lasting_thread.h"
#include "core/node/nvml.h"
#include "core/node/problem.h"
#include "core/stats/statistics.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <set>

namespace tilewright {

/// Watchdog of one block of launches by these slots: five times what each took when it last ran on this shape, by slot,
/// and for who has not run on it yet, as long as the slowest program may; and what goes before and behind each.
std::chrono::milliseconds blockLimit(const Task& task, const Shape& shape, const std::vector<std::string>& order,
    const std::map<std::string, double>& lastNs, const HotRing& ring = HotRing());

/// "13.1.0" of what cublasLtGetVersion() returns.
std::string cublasLtVersion(int number);

/// Shortest time of a task's shape on this GPU that can be believed.
double floorNs(const CudaFacts& facts, const Task& task, const Shape& shape);

/// Code of the error that the verifier itself has: it says nothing about a program.
inline constexpr const char* verifierTrouble = "device/verifier";

/// Open for proofs alone: then a candidate can read what it is held against.
enum class References { Hidden, Open };

class CudaDevice : public Device
{
public:
    CudaDevice(const Sandbox& sandbox, CudaBuilder& builder, std::filesystem::path worker, std::string secret,
        CudaFacts facts, References references = References::Hidden);
    ~CudaDevice() override;

    std::string id() const override { return m_facts.uuid; }
    Target target() const override { return Target::Cuda; }
    const CudaFacts& facts() const { return m_facts; }
    HelloReply::Device describe() const override;
    Telemetry telemetry() const override;
    void acquire() override { }
    void foresee(const CheckRequest& request, const TaskPack& pack) override;
    CheckReply check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    Result<TimedReply> time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    NoiseTurn measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;

    struct Timing; // one time request on its way: cuda_timing.h

private:
    struct Sweep; // sizes that the task does not list: cuda_sweep.h
    struct Trusted { // code of ours for one task
        std::string kernels, reference;
    };
    Result<const Trusted*> trusted(const TaskPack& pack, const Hash& task);
    Result<std::unique_ptr<GpuProcess>> startProcess(const TaskPack& pack, const Hash& task, bool isVerifier = false);
    /// Built-in cheats against an operation's bounds, by its reference on this GPU. Errors: task/loose, task/tight, …
    Result<void> calibrate(GpuProcess& process, const TaskPack& pack, const Hash& task);
    /// The warm one, started anew if it is gone or another task's.
    Result<GpuProcess*> process(const TaskPack& pack, const Hash& task);
    struct LaunchChecks {
        const DeviceJob& job;
        const char* step; ///< of the progress that is told
        std::string work; ///< that may be cancelled
        std::map<std::string, double>& spentNs; ///< takes what the worker spent, by what for
        std::string prefix; ///< of these names
        std::function<Error(Error, const CheckedLaunch&)> about; ///< a finding, with its launch
        std::function<void(const CheckedLaunch&, const MeasuredChecks&)> passed;
    };
    /// Launches of the program in slot "candidate", held against their gates; the first finding ends it.
    Result<void> runChecks(GpuProcess& process, const Task& task, const GpuChecks& checks, const LaunchChecks& on);
    Result<PassedChecks> checkWith(GpuProcess& process, const TaskPack& pack, const Hash& artifact,
        const DeviceJob& job, const std::function<Result<GpuChecks>(const CudaArtifact&)>& checksOfProgram);
    /// What was foreseen of this request, once.
    std::optional<GpuChecks> takeForeseen(std::int64_t request);
    Result<void> screen(Timing& timing);
    Result<void> confirm(Timing& timing);
    Result<void> confirmOnce(Timing& timing, int round, Sweep& sweep);
    Result<void> confirmOutside(GpuProcess& process, Timing& timing);
    Result<void> confirmIn(GpuProcess& process, Timing& timing, int round);
    /// In the last process of a confirmation: joules a launch of the candidate and of the vendor library on the largest
    /// train shape, by NVML, and the power while nothing runs. Where it cannot be told, it is left out.
    void measureEnergy(GpuProcess& process, Timing& timing);
    /// Adds the slot's entry; false where it cannot be told.
    bool addEnergyOfLaunch(
        GpuProcess& process, Timing& timing, const Shape& shape, const std::string& slot, nlohmann::json& told);
    /// Draws the sizes that the candidate is tried on before it is confirmed, and has plans for them made while it is
    /// timed.
    std::unique_ptr<Sweep> prepareSweep(const Timing& timing);
    /// In a process whose timing is over: what is run whatever it takes, as soon as its plans are made, and behind the
    /// last one as much more as there is time for. Errors: verify/sweep, what refuses a program that is built or runs,
    /// and the node's own.
    Result<void> runSweep(GpuProcess& process, Timing& timing, Sweep& sweep, bool isLast);
    Result<void> sweepShapes(GpuProcess& process, Timing& timing, Sweep& sweep, const std::vector<Shape>& shapes);
    Result<void> audit(Timing& timing);
    /// The warm worker that never loads a candidate.
    Result<GpuProcess*> verifier(const TaskPack& pack, const Hash& task);
    /// Outputs that are judged by another process: as far as they are lent to it, and where they are carried there.
    struct OutsideLimits {
        std::uint64_t lentBytes = 0, carriedBytes = 0;
    };
    /// One launch of the candidate, loaded in this process, on each of the shapes whose outputs are not larger; the
    /// verifier judges them. Errors: those of the gates, verifierTrouble.
    Result<void> judgeOutside(GpuProcess& process, Timing& timing, const std::vector<Shape>& shapes,
        const OutsideLimits& limits, const std::string& seed);
    /// compute-sanitizer's memcheck on small shapes, where it is installed. Errors: verify/memcheck.
    Result<void> memcheck(Timing& timing);
    /// ncu's counters on the first train shape, where it is installed: of what a user had measured again.
    Result<void> count(Timing& timing);
    /// The same of what may be a new best, as the request asks for it: seldom enough to cost little. A tool that cannot
    /// count is told once; what is measured does not depend on it.
    void countNewBest(Timing& timing);
    /// Errors: those of GpuTools::counters(), build/no-artifact.
    Result<nlohmann::json> countersOf(Timing& timing, std::chrono::seconds limit);
    /// The GPU for one job, if nothing has happened to it: device/fault, device/lost, device/stuck, cancelled.
    Result<GpuTurns::Turn> takeTurn(const DeviceJob& job);
    /// Once more, in a fresh worker, where an end may not be the program's doing; then the last word stands.
    template <typename Attempt> auto untilTrusted(Attempt attempt, bool wasChecked) -> decltype(attempt(0));
    /// The result of a program that ran in this worker, if the GPU computes as before; else run/canary.
    template <typename T> Result<T> ifSound(GpuProcess& process, Result<T> result);
    GpuProcess::Canary nextCanary();
    Result<void> proveSound(GpuProcess& process);
    /// The result of a job, unless the GPU itself has reported a fault since it was last asked, a second ago at most; a
    /// failure with what was reported.
    template <typename T> Result<T> ifNoFault(Result<T> result);
    void fill(TimeReply& reply, Timing& timing);
    nlohmann::json environment(const Task& task) const;

    const Sandbox& m_sandbox;
    CudaBuilder& m_builder;
    std::filesystem::path m_worker;
    std::string m_secret;
    SeedTexts m_seeds;
    CudaFacts m_facts;
    References m_references;
    std::unique_ptr<Nvml> m_nvml;
    NoiseRecord m_noise;
    NoiseSchedule m_noiseSchedule{16};
    std::vector<double> m_newNoise; ///< log ratios that no reply has told yet
    std::atomic<double> m_mhz{0}, m_floor{0};
    mutable GpuTurns m_turns; ///< before all processes: it takes those that do not end
    std::chrono::steady_clock::time_point m_listenedAt; ///< to the driver's reports
    GpuTools m_tools;
    CountingTurns m_countingTurns;
    bool m_countsCommonOnly = false; ///< the profiler here does not know all counters
    const std::chrono::steady_clock::time_point m_opened = std::chrono::steady_clock::now();
    std::vector<GpuProcess::Canary> m_canaries;
    std::size_t m_canariesFlown = 0;
    std::mutex m_foreseeing;
    std::deque<std::pair<std::int64_t, GpuChecks>> m_foreseen; ///< by the request's id, oldest first
    std::map<Hash, Trusted> m_trusted;
    std::map<Hash, std::map<Shape, int>> m_vendorChoices; ///< of a task, by shape: the same in every process
    std::set<Hash> m_calibrated; ///< operations whose bounds have refused the cheats
    std::unique_ptr<GpuProcess> m_process, m_verifier;
    Hash m_processTask, m_verifierTask;
    Lending m_lending;
    LastingThread m_planner; ///< of sweeps
    std::map<std::string, double> m_checkingNs, m_noiseNs; ///< of what was done since the last timing, by what for
};

template <typename Attempt> auto CudaDevice::untilTrusted(Attempt attempt, bool wasChecked) -> decltype(attempt(0))
{
    const auto tried = [&](int number) {
        auto result = attempt(number);
        if (!result)
            result.error() = withBlame(std::move(result.error()));
        return result;
    };
    auto result = tried(0);
    for (int i = 1; !result && i < attemptsFor(result.error().code, wasChecked); ++i) {
        m_process.reset();
        result = tried(i);
    }
    if (!result)
        result.error() = withKiller(std::move(result.error()));
    return result;
}

template <typename T> Result<T> CudaDevice::ifSound(GpuProcess& process, Result<T> result)
{
    if (!process.isAlive() || (!result && result.error().code == "cancelled"))
        return result; // a worker that has ended proves nothing: the next one begins with the same proof
    if (auto sound = proveSound(process); !sound)
        return std::unexpected(sound.error());
    return result;
}

template <typename T> Result<T> CudaDevice::ifNoFault(Result<T> result)
{
    const auto now = std::chrono::steady_clock::now();
    if (result && now - m_listenedAt < std::chrono::seconds(1)) // asking costs a millisecond
        return result;
    m_listenedAt = now;
    const GpuReports reports = m_nvml ? m_nvml->reports() : GpuReports{};
    if (auto fault = gpuFault(reports, m_facts.name))
        return std::unexpected(std::move(*fault));
    if (!result) {
        result.error() = withBlame(std::move(result.error()));
        if (!reports.xids.empty() && (result.error().evidence.is_object() || result.error().evidence.is_null()))
            result.error().evidence["xids"] = reports.xids;
    }
    return result;
}

} // namespace tilewright
