// SPDX-License-Identifier: GPL-3.0-or-later
// What the measuring core does: its clock frequency by a chain of dependent multiplications, and time stolen from it.
#pragma once

#include <cstdint>
#include <thread>

namespace tilewright {

/// Present frequency of the core this runs on, in MHz, from a chain of dependent multiplications. About 70 µs.
double probeMegahertz();
/// Ticks (1/100 s) that a hypervisor took from this core since boot, from /proc/stat; 0 where unknown.
std::int64_t stolenTicks(int cpu);
/// Single-precision operations a core of this machine can retire in one cycle at the very most.
double peakFlopsPerCycle();

/// Keeps the measuring core from falling asleep between calls, as long as it lives: a thread of the lowest rank turns
/// there, which every guest displaces at once. Waking a sleeping core takes tens of microseconds, more on a virtual
/// one, and lets its frequency wander.
class CoreKeptAwake
{
public:
    explicit CoreKeptAwake(int cpu);

private:
    std::jthread m_thread;
};

} // namespace tilewright
