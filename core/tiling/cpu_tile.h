// SPDX-License-Identifier: GPL-3.0-or-later
// What a blocked matrix product takes of one CPU core: vector registers, and L1, L2 and L3 for the copies of A and B.
// Formulas: Goto, van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM TOMS 2008; Low et al.,
// "Analytical Modeling Is Enough for High-Performance BLIS", ACM TOMS 2016. Pure.
#pragma once

#include "core/device/cpu.h"
#include "core/tiling/gpu_tile.h"

namespace tilewright {

/// The choices of one program: mr × nr elements of C in registers, mc × kc of A in L2, kc × nr of B in L1, kc × nc of B
/// in L3.
struct CpuTile {
    int mr = 6, nr = 16, kc = 256, mc = 96, nc = 4096;
    int elementBytes = 4;

    bool operator==(const CpuTile&) const = default;
};

/// What the core has; from its features where they tell it.
struct CpuLimits {
    int vectorBytes = 32; ///< of one register
    int vectorRegisters = 16;
    int sumsInFlight = 8; ///< latency of a multiply-add in clocks × those begun in a clock
    std::int64_t l1Bytes = 32 << 10, l2Bytes = 1 << 20, l3Bytes = 0; ///< 0: not known

    bool operator==(const CpuLimits&) const = default;
};
CpuLimits cpuLimitsOf(const CpuFacts& facts);

TileReport cpuTileReport(const CpuTile& tile, const ProductSize& size, const CpuLimits& limits);

} // namespace tilewright
