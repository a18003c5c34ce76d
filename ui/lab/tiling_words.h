// SPDX-License-Identifier: GPL-3.0-or-later
// A tile's figures and verdict in words. Pure but for translation.
#pragma once

#include "core/tiling/tile_line.h"

#include <QString>

namespace tilewright::ui {

QString nameOf(TileFigure figure);
/// "72 KiB", "12.5 %", "42.7 FLOP/B", "128".
QString valueText(const TileLine& line, double value);
/// What stands beside the value: "of 227 KiB", "limited by registers"; "" for nothing.
QString limitText(const TileLine& line);
QString nameOf(TileVerdict verdict);
/// Why, in a sentence with the figures of the report.
QString explanation(const TileReport& report);

} // namespace tilewright::ui
