// SPDX-License-Identifier: Apache-2.0
// What the measuring core does: its clock frequency by a chain of dependent multiplications, and time stolen from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace tilewright {

/// Present frequency of the core this runs on, in MHz, from a chain of dependent multiplications. About 70 µs.
double probeMegahertz();
/// Ticks (1/100 s) that a hypervisor took from this core since boot, from /proc/stat; 0 where unknown.
std::int64_t stolenTicks(int cpu);
/// Single-precision operations a core of this machine can retire in one cycle at the very most.
double peakFlopsPerCycle();

/// Keeps the measuring core from falling asleep between calls, as long as it lives: a thread of the lowest priority
/// spins there. Waking a sleeping core takes tens of microseconds, more on a virtual one, and lets its frequency
/// wander. The priority alone does not keep it out of the way of a program that has no real-time rank: schedulers weigh
/// whole sessions against each other. So it sleeps while a program runs: pause() and resume() stand around every call.
class CoreKeptAwake
{
public:
    explicit CoreKeptAwake(int cpu);
    ~CoreKeptAwake();
    CoreKeptAwake(const CoreKeptAwake&) = delete;
    CoreKeptAwake& operator=(const CoreKeptAwake&) = delete;

    /// Returns once the thread has left the core, or does not spin at all.
    void pause();
    void resume();

private:
    enum class Order : std::uint32_t { Spin, Sleep, End };
    void spin(int cpu);
    void give(Order order);

    std::atomic<std::uint32_t> m_order{static_cast<std::uint32_t>(Order::Spin)};
    std::atomic<bool> m_spins{true}; ///< or is about to
    std::thread m_thread;
};

// What the system tells of a CPU core at this moment: frequency, temperature, how often heat slowed it down. Read from
// files that exist on some machines only (virtual ones mostly have none): what is not there is not known.

struct CpuTelemetry {
    std::optional<double> mhz; ///< cpufreq
    std::optional<double> temperature; ///< °C, of the processor's own sensor
    std::optional<std::int64_t> throttled; ///< times since the machine was started
};

/// system: where sysfs is mounted.
CpuTelemetry readCpuTelemetry(int core, const std::filesystem::path& system = "/sys");

// What the measuring core can do at most, measured: the yardstick beside which a kernel's rates are told. Nothing is
// taken from a data sheet. About 40 ms, under the device's lock.

struct CpuLimits {
    double gigaflopsPerSecond = 0; ///< fp32, multiply-adds in registers; 0 where no way to measure it is known
    double gigabytesPerSecond = 0; ///< reading memory that no cache holds, 10⁹ bytes; 0 as above
    /// Reading what the first two levels of cache do not hold, wherever else it lies: the state before a timed call.
    /// Never below gigabytesPerSecond.
    double outerGigabytesPerSecond = 0;

    /// {"measured_gflops": {"fp32": …}, "measured_memory_gb_s": …}; what is unknown is left out.
    nlohmann::json json() const;
};

/// The best of several short runs on this core; nothing else may run there meanwhile. l2Bytes: of the second-level
/// cache; 0 if unknown.
CpuLimits measuredCpuLimits(int core, std::int64_t l2Bytes);

} // namespace tilewright
