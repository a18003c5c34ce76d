// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/gpu_tile.h"

#include "core/base/format.h"
#include "core/tiling/formulas.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

using formulas::n;
using formulas::pieces;

namespace {

constexpr int mostRegisters = 255; ///< of a thread; the compiler spills beyond
constexpr int mostThreads = 1024; ///< of a block
constexpr int otherRegisters = 24; ///< addresses and counters, an estimate
constexpr int bytesOfSum = 4;

/// How many tiles of that extent cover a length.
std::int64_t pieces(std::int64_t length, int extent) { return (length + extent - 1) / extent; }

} // namespace

MicroTile microTileOf(const GpuTile& tile)
{
    MicroTile best;
    if (tile.threads < 1 || tile.bm < 1 || tile.bn < 1 || tile.bm * tile.bn % tile.threads != 0)
        return best;
    const int sums = tile.bm * tile.bn / tile.threads;
    for (int rows = 1; rows * rows <= sums; ++rows) {
        const int columns = sums / rows;
        if (sums % rows == 0 && tile.bm % rows == 0 && tile.bn % columns == 0)
            best = {rows, columns};
    }
    return best;
}

double ridgeOf(const CudaFacts& facts) { return facts.bandwidth() > 0 ? facts.fp32Peak() / facts.bandwidth() : 0; }

TileReport gpuTileReport(const GpuTile& tile, const ProductSize& size, const CudaFacts& facts)
{
    TileReport report;
    const int bytes = tile.elementBytes;
    const std::int64_t shared = std::int64_t(tile.bm + tile.bn) * tile.bk * bytes * tile.stages;
    report.add({TileFigure::SharedMemory, double(shared), double(facts.sharedPerBlock), TileUnit::Bytes,
        "(" + n(tile.bm) + " + " + n(tile.bn) + ") · " + n(tile.bk) + " · " + n(bytes) + " B · " + n(tile.stages)});
    const MicroTile micro = microTileOf(tile);
    const int sums = micro.rows * micro.columns;
    // Operands of less than four bytes come in pairs.
    const int operands = (micro.rows + micro.columns) * std::min(bytes, bytesOfSum) / bytesOfSum;
    const int registers = sums + operands + otherRegisters;
    report.judge(sums == 0, TileVerdict::TooLarge, TileReason::UnevenThreads);
    if (sums > 0) {
        report.add({TileFigure::Accumulators, double(sums), 0, TileUnit::Count,
            n(tile.bm) + " · " + n(tile.bn) + " / " + n(tile.threads) + ", " + n(micro.rows) + " × " + n(micro.columns)
                + " a thread"});
        report.add({TileFigure::Registers, double(registers), double(mostRegisters), TileUnit::Count,
            n(sums) + " sums + " + n(operands) + " operands + " + n(otherRegisters) + " other (estimate)"});
    }
    const Occupancy occupancy = occupancyOf(facts, {std::min(registers, mostRegisters), tile.threads, shared});
    const std::int64_t warps = (tile.threads + 31) / 32;
    if (sums > 0) {
        report.add({TileFigure::BlocksPerSm, double(occupancy.blocks), 0, TileUnit::Count,
            n(std::min(registers, mostRegisters)) + " registers · " + n(tile.threads) + " threads, "
                + bytesText(double(shared)) + " shared",
            occupancy.limit});
        report.add({TileFigure::Occupancy, occupancy.warps, 1, TileUnit::Share,
            n(occupancy.blocks) + " · " + n(warps) + " warps of " + n(facts.threadsPerSm / 32), occupancy.limit});
    }
    const TileLine block = formulas::intensity(TileFigure::BlockIntensity, tile.bm, tile.bn, bytes);
    report.add(block);
    if (sums > 0)
        report.add(formulas::intensity(TileFigure::ThreadIntensity, micro.rows, micro.columns, bytes));
    const std::int64_t rows = pieces(size.m, tile.bm), columns = pieces(size.n, tile.bn), tiles = rows * columns;
    report.add({TileFigure::Tiles, double(tiles), 0, TileUnit::Count, n(rows) + " × " + n(columns)});
    const std::int64_t resident = std::int64_t(facts.sms) * occupancy.blocks;
    if (sums > 0 && resident > 0) {
        const double waves = double(tiles) / double(resident);
        report.add({TileFigure::Waves, waves, 0, TileUnit::Count,
            n(tiles) + " / (" + n(facts.sms) + " SMs · " + n(occupancy.blocks) + ")"});
        report.add({TileFigure::TailEfficiency, waves / std::ceil(waves), 1, TileUnit::Share,
            fixedText(waves, 2) + " / " + n(std::int64_t(std::ceil(waves)))});
    }
    report.judge(tile.threads > mostThreads, TileVerdict::TooLarge, TileReason::TooManyThreads);
    report.judge(facts.sharedPerBlock > 0 && shared > facts.sharedPerBlock, TileVerdict::TooLarge,
        TileReason::SharedMemoryExceeded);
    report.judge(registers > mostRegisters, TileVerdict::TooLarge, TileReason::RegistersExceeded);
    report.judge(sums > 0 && occupancy.blocks == 0, TileVerdict::TooLarge, TileReason::RegistersExceeded);
    report.judge(block.value < ridgeOf(facts), TileVerdict::TooSmall, TileReason::BelowRidge);
    report.judge(tiles < facts.sms, TileVerdict::TooLarge, TileReason::FewerTilesThanSms);
    return report;
}

} // namespace tilewright
