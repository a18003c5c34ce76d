// SPDX-License-Identifier: GPL-3.0-or-later
// What the measuring core does: its clock frequency by a chain of dependent multiplications, and time stolen from it.
#pragma once

#include <atomic>
#include <cstdint>
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

} // namespace tilewright
