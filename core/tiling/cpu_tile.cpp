// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/cpu_tile.h"

#include "core/tiling/formulas.h"

#include <algorithm>

namespace tilewright {

using formulas::n;
using formulas::pieces;

namespace {

/// So often a value that comes from L2 has to be used for multiply-adds to set the pace: L2 gives about 32 bytes a
/// clock, and two multiply-adds of 64 bytes begin in one.
constexpr int usesFromL2 = 6;
/// K is cut into more pieces than this: the traffic of C is felt.
constexpr int fewUpdates = 64;

} // namespace

CpuLimits cpuLimitsOf(const CpuFacts& facts)
{
    const auto has
        = [&](const char* feature) { return std::ranges::find(facts.features, feature) != facts.features.end(); };
    CpuLimits limits;
    if (has("avx512f")) {
        limits.vectorBytes = 64;
        limits.vectorRegisters = 32;
    } else if (!has("avx2") && !has("avx")) {
        limits.vectorBytes = 16;
        limits.vectorRegisters = has("asimd") || has("neon") ? 32 : 16;
    }
    if (facts.l1dBytes > 0)
        limits.l1Bytes = facts.l1dBytes;
    if (facts.l2Bytes > 0)
        limits.l2Bytes = facts.l2Bytes;
    limits.l3Bytes = facts.l3Bytes;
    return limits;
}

TileReport cpuTileReport(const CpuTile& tile, const ProductSize& size, const CpuLimits& limits)
{
    TileReport report;
    const int bytes = tile.elementBytes, lanes = std::max(1, limits.vectorBytes / bytes);
    const std::int64_t vectors = pieces(tile.nr, lanes), sums = tile.mr * vectors;
    report.add({TileFigure::Accumulators, double(sums), 0, TileUnit::Count,
        n(tile.mr) + " · " + n(tile.nr) + " / " + n(lanes) + " lanes"});
    // Of a multiply-add's two operands one may be read from memory.
    report.add({TileFigure::Registers, double(sums + 1), double(limits.vectorRegisters), TileUnit::Count,
        n(sums) + " sums + 1 operand"});
    report.add(formulas::intensity(TileFigure::ThreadIntensity, tile.mr, tile.nr, bytes));
    const std::int64_t kc = std::min<std::int64_t>(tile.kc, size.k), mc = std::min<std::int64_t>(tile.mc, size.m),
                       nc = std::min<std::int64_t>(tile.nc, size.n);
    const double panel = double(kc) * tile.nr * bytes, blockA = double(mc) * double(kc) * bytes,
                 blockB = double(kc) * double(nc) * bytes;
    report.add({TileFigure::PanelB, panel, double(limits.l1Bytes), TileUnit::Bytes,
        n(kc) + " · " + n(tile.nr) + " · " + n(bytes) + " B", "L1"});
    report.add({TileFigure::BlockA, blockA, double(limits.l2Bytes), TileUnit::Bytes,
        n(mc) + " · " + n(kc) + " · " + n(bytes) + " B", "L2"});
    report.add({TileFigure::BlockB, blockB, double(limits.l3Bytes), TileUnit::Bytes,
        n(kc) + " · " + n(nc) + " · " + n(bytes) + " B", "L3"});
    const std::int64_t updates = pieces(size.k, std::max(1, tile.kc));
    report.add({TileFigure::UpdatesOfC, double(updates), 0, TileUnit::Count, n(size.k) + " / " + n(tile.kc)});
    // A once for each block of columns, B once, C written once and then read and written for each further piece of K.
    const std::int64_t passes = pieces(size.n, std::max(1, tile.nc)), touches = 2 * updates - 1;
    const double m = double(size.m), k = double(size.k), wide = double(size.n);
    report.add({TileFigure::BlockIntensity,
        2 * m * wide * k / ((m * k * double(passes) + k * wide + m * wide * double(touches)) * bytes), 0,
        TileUnit::FlopPerByte,
        "2 M N K / ((M K · " + n(passes) + " + K N + M N · " + n(touches) + ") · " + n(bytes) + " B)"});
    report.judge(sums + 1 > limits.vectorRegisters, TileVerdict::TooLarge, TileReason::RegistersExceeded);
    report.judge(panel > double(limits.l1Bytes) && tile.mr < usesFromL2, TileVerdict::TooLarge, TileReason::L1Exceeded);
    report.judge(blockA > double(limits.l2Bytes), TileVerdict::TooLarge, TileReason::L2Exceeded);
    report.judge(limits.l3Bytes > 0 && blockB > double(limits.l3Bytes), TileVerdict::TooLarge, TileReason::L3Exceeded);
    report.judge(sums < limits.sumsInFlight, TileVerdict::TooSmall, TileReason::ShortChains);
    report.judge(updates > fewUpdates, TileVerdict::TooSmall, TileReason::ManyUpdatesOfC);
    return report;
}

} // namespace tilewright
