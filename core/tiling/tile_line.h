// SPDX-License-Identifier: GPL-3.0-or-later
// One computed figure of a tile, with the calculation that it comes from, and the verdict over all of them. Values.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// What a figure is; names and explanations are the view's.
enum class TileFigure {
    SharedMemory, ///< bytes a block
    Accumulators, ///< a thread (GPU), or vector registers of a core (CPU)
    Registers, ///< a thread (GPU, estimated), or vector registers of a core (CPU)
    BlocksPerSm,
    Occupancy, ///< 0 … 1
    BlockIntensity, ///< flop a byte that comes from L2 or memory (GPU), or from memory (CPU)
    ThreadIntensity, ///< flop a byte that comes from shared memory (GPU) or L1 (CPU)
    Tiles, ///< of C
    Waves, ///< of blocks over the whole device
    TailEfficiency, ///< 0 … 1
    PanelB, ///< bytes of KC × NR of B
    BlockA, ///< bytes of MC × KC of A
    BlockB, ///< bytes of KC × NC of B
    UpdatesOfC ///< times that each element of C is read and written
};

enum class TileUnit { Count, Bytes, Share, FlopPerByte };

struct TileLine {
    TileFigure figure = TileFigure::Tiles;
    double value = 0;
    double limit = 0; ///< what the device has of it, in the same unit; 0: no limit
    TileUnit unit = TileUnit::Count;
    std::string formula; ///< with the numbers put in: "(128 + 256) · 16 · 4 B · 3"
    std::string limitedBy = {}; ///< the resource that sets it: "registers"; "" where nothing does

    bool exceeds() const { return limit > 0 && value > limit; }
    bool operator==(const TileLine&) const = default;
};

enum class TileVerdict { TooSmall, JustRight, TooLarge };

/// Why a tile is too small or too large; each reason belongs to one of the two.
enum class TileReason {
    None,
    // too large
    UnevenThreads, ///< the threads cannot share the tile evenly
    TooManyThreads,
    SharedMemoryExceeded,
    RegistersExceeded, ///< the compiler spills
    FewerTilesThanSms,
    L1Exceeded,
    L2Exceeded,
    L3Exceeded,
    // too small
    BelowRidge, ///< memory cannot feed the arithmetic units
    ShortChains, ///< fewer independent sums than one multiply-add takes clocks
    ManyUpdatesOfC
};

struct TileReport {
    TileVerdict verdict = TileVerdict::JustRight;
    TileReason reason = TileReason::None;
    std::vector<TileLine> lines;

    const TileLine* line(TileFigure figure) const;
    void add(TileLine line) { lines.push_back(std::move(line)); }
    /// The first reason that holds decides.
    void judge(bool holds, TileVerdict of, TileReason why);
};

} // namespace tilewright
