// SPDX-License-Identifier: GPL-3.0-or-later
// What the measuring core does: its clock frequency by a chain of dependent multiplications, and time stolen from it.
#pragma once

#include <cstdint>

namespace tilewright {

/// Present frequency of the core this runs on, in MHz, from a chain of dependent multiplications. About 70 µs.
double probeMegahertz();
/// Ticks (1/100 s) that a hypervisor took from this core since boot, from /proc/stat; 0 where unknown.
std::int64_t stolenTicks(int cpu);
/// Single-precision operations a core of this machine can retire in one cycle at the very most.
double peakFlopsPerCycle();

} // namespace tilewright
