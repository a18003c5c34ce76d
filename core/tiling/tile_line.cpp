// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/tile_line.h"

#include <algorithm>

namespace tilewright {

const TileLine* TileReport::line(TileFigure figure) const
{
    const auto at = std::ranges::find(lines, figure, &TileLine::figure);
    return at == lines.end() ? nullptr : &*at;
}

void TileReport::judge(bool holds, TileVerdict of, TileReason why)
{
    if (!holds || reason != TileReason::None)
        return;
    verdict = of;
    reason = why;
}

} // namespace tilewright
