// SPDX-License-Identifier: GPL-3.0-or-later
// What the formulas of both kinds of tiles are written with.
#pragma once

#include "core/tiling/tile_line.h"

#include <cstdint>
#include <string>

namespace tilewright::formulas {

inline std::string n(std::int64_t value) { return std::to_string(value); }

/// How many pieces of that extent cover a length.
inline std::int64_t pieces(std::int64_t length, std::int64_t extent) { return (length + extent - 1) / extent; }

/// Flop for each byte of the rows of A and the columns of B that a tile of C reads, each value once.
inline TileLine intensity(TileFigure figure, std::int64_t rows, std::int64_t columns, int bytes)
{
    return {figure, 2.0 * double(rows) * double(columns) / (double(rows + columns) * bytes), 0, TileUnit::FlopPerByte,
        "2 · " + n(rows) + " · " + n(columns) + " / ((" + n(rows) + " + " + n(columns) + ") · " + n(bytes) + " B)"};
}

} // namespace tilewright::formulas
