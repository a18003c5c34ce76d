// SPDX-License-Identifier: GPL-3.0-or-later
// An NVIDIA GPU as a device: one exclusive lock across nodes, a warm GPU worker for screening, fresh ones for
// confirming, its noise floor. Measuring thread only, but for describe() and telemetry().
#pragma once

#include "core/node/device.h"
#include "core/node/gpu_process.h"
#include "core/node/nvml.h"
#include "core/node/problem.h"
#include "core/stats/statistics.h"

#include <atomic>

namespace tilewright {

class CudaDevice : public Device
{
public:
    CudaDevice(const Sandbox& sandbox, CudaBuilder& builder, std::filesystem::path worker, std::string secret,
        CudaFacts facts);
    ~CudaDevice() override;

    std::string id() const override { return m_facts.uuid; }
    Target target() const override { return Target::Cuda; }
    const CudaFacts& facts() const { return m_facts; }
    HelloReply::Device describe() const override;
    Telemetry telemetry() const override;
    void acquire() override;
    CheckReply check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    Result<TimeReply> time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;
    NoiseTurn measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) override;

private:
    struct Timing; // one time request on its way
    struct Trusted { // code of ours for one task
        std::string kernels, reference;
    };
    Result<const Trusted*> trusted(const TaskPack& pack, const Hash& task);
    Result<std::unique_ptr<GpuProcess>> startProcess(const TaskPack& pack, const Hash& task);
    /// The warm one, started anew if it is gone or another task's.
    Result<GpuProcess*> process(const TaskPack& pack, const Hash& task);
    Result<std::vector<std::string>> checkWith(GpuProcess& process, const TaskPack& pack, const Hash& artifact,
        const std::string& seedText, bool all, const DeviceJob& job);
    Result<void> screen(Timing& timing);
    Result<void> confirm(Timing& timing);
    Result<void> confirmOnce(Timing& timing, int round);
    Result<void> audit(Timing& timing);
    std::string seedText(const std::string& evaluation) const;
    nlohmann::json environment(const Task& task) const;
    double floorNs(const Task& task, const Shape& shape) const;

    const Sandbox& m_sandbox;
    CudaBuilder& m_builder;
    std::filesystem::path m_worker;
    std::string m_secret;
    CudaFacts m_facts;
    std::unique_ptr<Nvml> m_nvml;
    NoiseFloor m_noise;
    NoiseSchedule m_noiseSchedule{16};
    std::vector<double> m_newNoise; ///< log ratios that no reply has told yet
    std::atomic<double> m_mhz{0}, m_floor{0};
    std::optional<DeviceLockFile> m_lock;
    std::map<Hash, Trusted> m_trusted;
    std::unique_ptr<GpuProcess> m_process;
    Hash m_processTask;
    std::map<std::string, double> m_checkingNs; ///< of all checks since the last timing, by what for
};

} // namespace tilewright
