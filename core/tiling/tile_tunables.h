// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles as the constants of programs: those of the sweep's programs (kernels/examples/*/tiles.*), and those that the
// shipped packs' mutations bring. Pure.
#pragma once

#include "core/model/tunables.h"
#include "core/tiling/cpu_tile.h"
#include "core/tiling/gpu_tile.h"

#include <optional>
#include <vector>

namespace tilewright {

Tunables tunablesOf(const CpuTile& tile); ///< MR, NR, KC, MC, NC
Tunables tunablesOf(const GpuTile& tile); ///< BM, BN, BK, STAGES, THREADS

/// The tile that a program's constants describe. What they leave out is as in `otherwise`; none where neither the rows
/// nor the columns of the tile stand there.
std::optional<CpuTile> cpuTileIn(const Tunables& tunables, const CpuTile& otherwise);
/// BM × BN by THREADS, or TY · TM × TX · TN by TX · TY threads.
std::optional<GpuTile> gpuTileIn(const Tunables& tunables, const GpuTile& otherwise);

/// The sizes that the explorer offers.
namespace tile_choices {
inline const std::vector<int> mr{2, 4, 6, 8, 10, 12, 14}, nr{8, 16, 24, 32, 48, 64},
    kc{32, 64, 128, 192, 256, 384, 512, 1024}, mc{16, 32, 64, 96, 192, 384, 768, 1536}, nc{256, 512, 1024, 2048, 4096};
inline const std::vector<int> bm{16, 32, 64, 128, 256}, bn{16, 32, 64, 128, 256}, bk{4, 8, 16, 32, 64},
    stages{1, 2, 3, 4, 5, 6}, threads{32, 64, 128, 256, 512, 1024}, bytes{1, 2, 4};
} // namespace tile_choices

} // namespace tilewright
