// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps of tiles that are there already: those that this machine measured, in the user's cache, and those that come
// with Tilewright.
#pragma once

#include "core/tiling/tile_sweep.h"

#include <filesystem>
#include <vector>

namespace tilewright::ui {

struct KeptSweep {
    TileSweep sweep;
    bool isOfThisMachine = false; ///< else it is shown as recorded

    bool operator==(const KeptSweep&) const = default;
};

/// A folder that several machines may share has one of this name for each: their processors all have the id cpu0.
std::string machineName();

/// Newest first, those of this machine before all others. What cannot be read is left out.
std::vector<KeptSweep> keptSweeps();
/// In the place of the one that asked the same of the same device. Errors: those of saveFile(), machine/folder.
Result<void> keepSweep(const TileSweep& sweep);

} // namespace tilewright::ui
