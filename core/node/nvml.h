// SPDX-License-Identifier: Apache-2.0
// NVML, loaded at run time, its few types declared by hand: what the node itself can see of a GPU while a worker uses
// it. Settings are never changed. A call takes about half a millisecond.
#pragma once

#include "core/protocol/gpu_trouble.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace tilewright {

struct GpuTelemetry {
    std::optional<double> temperature, watts, smMhz; ///< °C, W, MHz
    std::optional<std::uint64_t> reasons; ///< why the clocks are what they are, as NVML's bits
};

class Nvml
{
public:
    /// Null where there is no NVML or it does not know the GPU.
    static std::unique_ptr<Nvml> open(const std::string& uuid, const char* library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    GpuTelemetry read() const;
    /// What the GPU has consumed since the driver was loaded, in joules, with a resolution of a millijoule, some tens
    /// of milliseconds old. None where the GPU or the driver does not count it.
    std::optional<double> consumedJoules() const;
    /// What was read a tenth of a second ago or a little more: the clocks' reasons change no faster. The next reading
    /// is made aside, only after a pause it is waited for. One thread.
    const GpuTelemetry& recent();
    /// What the driver has reported since the last call; Xids only where it lets us listen to them. Never waits.
    GpuReports reports();
    bool hearsXids() const { return m_events != nullptr; }
    /// Heat or a fault of the supply slows the GPU down: what is measured meanwhile does not count. Empty if not.
    static std::string slowdown(std::uint64_t reasons);
    /// All that holds the clocks down, a slowdown or the power limit, in words; empty if nothing does.
    static std::string throttling(std::uint64_t reasons);
    /// N of its device file /dev/nvidiaN; none where the driver does not tell.
    std::optional<unsigned> minorNumber() const { return m_minor; }
    const std::string& driverVersion() const { return m_driverVersion; } ///< "580.159.03"

private:
    using Device = struct NvmlDeviceOpaque*;
    Nvml() = default;

    using EventSet = struct NvmlEventSetOpaque*;
    struct Event { // nvmlEventData_t
        Device device = nullptr;
        unsigned long long type = 0, data = 0;
        unsigned gpuInstance = 0, computeInstance = 0;
    };
    void listen(void* library);

    Device m_device = nullptr;
    EventSet m_events = nullptr;
    int (*m_wait)(EventSet, Event*, unsigned) = nullptr;
    int (*m_freeSet)(EventSet) = nullptr;
    std::string m_driverVersion;
    std::optional<unsigned> m_minor;
    GpuTelemetry m_recent;
    std::chrono::steady_clock::time_point m_recentAt;
    std::future<GpuTelemetry> m_next; ///< being read since m_recentAt
    int (*m_temperature)(Device, int, unsigned*) = nullptr;
    int (*m_power)(Device, unsigned*) = nullptr;
    int (*m_clock)(Device, int, unsigned*) = nullptr;
    int (*m_reasons)(Device, unsigned long long*) = nullptr;
    int (*m_energy)(Device, unsigned long long*) = nullptr; ///< null: not counted here
};

} // namespace tilewright
