// SPDX-License-Identifier: GPL-3.0-or-later
// What a tiled matrix product takes of a GPU, computed before anything is compiled: shared memory, registers,
// occupancy, arithmetic intensity, waves. Formulas: NVIDIA, CUDA C++ Programming Guide (occupancy); Williams, Waterman,
// Patterson, "Roofline", CACM 2009 (intensity and ridge). Pure.
#pragma once

#include "core/device/cuda.h"
#include "core/tiling/tile_line.h"

#include <cstdint>

namespace tilewright {

/// The choices of one kernel: a block computes bm × bn elements of C, in steps of bk along K.
struct GpuTile {
    int bm = 128, bn = 128, bk = 16;
    int stages = 2; ///< slabs of A and B in shared memory at a time
    int threads = 256; ///< of a block
    int elementBytes = 4; ///< of A and B; sums are fp32

    bool operator==(const GpuTile&) const = default;
};

struct ProductSize {
    std::int64_t m = 4096, n = 4096, k = 4096;

    bool operator==(const ProductSize&) const = default;
};

/// Rows and columns of C that one thread computes.
struct MicroTile {
    int rows = 0, columns = 0;
};
/// The one nearest to a square, with no more rows than columns, that shares the tile evenly among the threads; none:
/// there is no such one.
MicroTile microTileOf(const GpuTile& tile);

/// All lines, and the verdict with its first reason. Registers are an estimate: sums, one column and one row of the
/// micro-tile, and 24 for addresses and loop counters.
TileReport gpuTileReport(const GpuTile& tile, const ProductSize& size, const CudaFacts& facts);

/// Flop a byte from which on arithmetic, not memory, is the limit. From the data sheet's figures.
double ridgeOf(const CudaFacts& facts);

} // namespace tilewright
