// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/tile_tunables.h"

namespace tilewright {

namespace {

/// Sizes beyond are no tile.
constexpr std::int64_t largestSize = 1 << 20;

/// False, and the size as it was: the constant is not there.
bool takeSize(const Tunables& tunables, const char* name, int& size)
{
    const auto found = tunables.find(name);
    if (found == tunables.end() || found->second < 1 || found->second > largestSize)
        return false;
    size = static_cast<int>(found->second);
    return true;
}

} // namespace

Tunables tunablesOf(const CpuTile& tile)
{
    return {{"MR", tile.mr}, {"NR", tile.nr}, {"KC", tile.kc}, {"MC", tile.mc}, {"NC", tile.nc}};
}

Tunables tunablesOf(const GpuTile& tile)
{
    return {{"BM", tile.bm}, {"BN", tile.bn}, {"BK", tile.bk}, {"STAGES", tile.stages}, {"THREADS", tile.threads}};
}

std::optional<CpuTile> cpuTileIn(const Tunables& tunables, const CpuTile& otherwise)
{
    CpuTile tile = otherwise;
    const bool hasRows = takeSize(tunables, "MR", tile.mr), hasColumns = takeSize(tunables, "NR", tile.nr);
    if (!hasRows && !hasColumns)
        return std::nullopt;
    takeSize(tunables, "KC", tile.kc);
    takeSize(tunables, "MC", tile.mc);
    takeSize(tunables, "NC", tile.nc);
    return tile;
}

std::optional<GpuTile> gpuTileIn(const Tunables& tunables, const GpuTile& otherwise)
{
    GpuTile tile = otherwise;
    takeSize(tunables, "BK", tile.bk);
    takeSize(tunables, "STAGES", tile.stages);
    const bool hasRows = takeSize(tunables, "BM", tile.bm), hasColumns = takeSize(tunables, "BN", tile.bn);
    if (hasRows || hasColumns) {
        takeSize(tunables, "THREADS", tile.threads);
        return tile;
    }
    int tx = 0, ty = 0, tm = 1, tn = 1;
    if (!takeSize(tunables, "TX", tx) || !takeSize(tunables, "TY", ty))
        return std::nullopt;
    takeSize(tunables, "TM", tm);
    takeSize(tunables, "TN", tn);
    const auto product
        = [](std::int64_t a, std::int64_t b) { return a * b <= largestSize ? static_cast<int>(a * b) : 0; };
    tile.bm = product(ty, tm);
    tile.bn = product(tx, tn);
    tile.threads = product(tx, ty);
    return tile.bm > 0 && tile.bn > 0 && tile.threads > 0 ? std::optional(tile) : std::nullopt;
}

} // namespace tilewright
