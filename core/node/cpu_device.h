// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: one measuring core under an exclusive lock, its noise floor, and the two things a node is asked
// to do with it: check a program, and time it. Measuring thread only, but for telemetry().
#pragma once

#include "core/device/core_split.h"
#include "core/device/cpu.h"
#include "core/node/checker.h"
#include "core/node/core_clock.h"
#include "core/node/cpu_timer.h"
#include "core/node/device.h"

#include <atomic>
#include <mutex>
#include <set>

namespace tilewright {

class CpuDevice : public Device
{
public:
    CpuDevice(const Sandbox& sandbox, const Builder& builder, std::filesystem::path worker, std::string secret);
    ~CpuDevice() override;

    std::string id() const override { return "cpu0"; }
    Target target() const override { return Target::Cpp; }
    HelloReply::Device describe() const override;
    Telemetry telemetry() const override;

    /// Pins the calling thread to the core beside the measuring one and raises its priority as far as the system
    /// allows.
    void acquire() override;

    CheckReply check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    Result<TimedReply> time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    NoiseTurn measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;

private:
    struct Timing; // one time request on its way
    struct Sweep; // of a confirmation: sizes that the task does not list
    Result<std::shared_ptr<const Reference>> reference(const TaskPack& pack, const Hash& task);
    /// Whether the task's bounds would catch a cheat; once for each task.
    Result<void> calibrate(const TaskPack& pack, const Hash& task, const Reference& reference);
    Result<std::unique_ptr<Arena>> startArena(const Task& task, const std::string& object, const CheckPlan& plan) const;
    std::string seedText(const std::string& evaluation) const;
    nlohmann::json environment(const Task& task) const;
    Result<void> screen(Timing& timing);
    Result<void> confirm(Timing& timing);
    /// Runs the candidate on every residue of every dimension. Errors: see SweepRunner.
    Result<void> sweepResidues(Timing& timing);
    /// And on pairs of residues, for a share of the time that timing took.
    Result<void> sweepPairs(Timing& timing, std::chrono::steady_clock::duration timed);
    Result<void> audit(Timing& timing);
    void judge(Timing& timing, EvaluationResult& result);
    /// "vendor:NAME", with the core type of OpenBLAS that is fastest here and computes right: each type that this
    /// processor can run is tried once in the node's life, on the task's largest shape.
    std::string vendorObject(const TaskPack& pack, const Hash& task);
    /// Of a machine that is too busy: names the programs that run on the measuring cores now, in text and evidence.
    Error withDisturbers(Error error) const;

    const Sandbox& m_sandbox;
    const Builder& m_builder;
    std::filesystem::path m_worker;
    std::string m_secret;
    CpuFacts m_facts;
    CoreSplit m_cores;
    std::map<std::string, std::string> m_vendorObjects; ///< by the task's vendor
    nlohmann::json m_vendorTried = nlohmann::json::array(); ///< core types of OpenBLAS, each with its time or its fault
    std::string m_vendor; ///< what the vendor library says of itself; empty where there is none
    std::optional<std::int64_t> m_throttledAtFirst; ///< how often the core had been slowed down before
    NoiseRecord m_noise;
    std::vector<double> m_newNoise; ///< log ratios that no reply has told yet
    NoiseSchedule m_noiseSchedule{8};
    double m_peakMhz = 0; ///< highest frequency ever seen on the measuring core
    std::atomic<double> m_mhz{0}, m_floor{0};
    std::unique_ptr<CoreKeptAwake> m_awake; ///< while something is timed from a core of its own
    std::optional<DeviceLockFile> m_lock;
    std::map<Hash, std::shared_ptr<const Reference>> m_references;
    std::set<Hash> m_calibrated;
    std::optional<CpuLimits> m_limits; ///< measured with the first program that is timed
    std::string m_priority = "ordinary"; ///< of the measuring thread, as far as the system allows
};

} // namespace tilewright
