// SPDX-License-Identifier: GPL-3.0-or-later
// Crossovers that are there already: those that this machine measured, in the user's data folder, and those that come
// with Tilewright.
#pragma once

#include "core/compare/crossover_sweep.h"

#include <vector>

namespace tilewright::ui {

struct KeptCrossover {
    CrossoverSweep sweep;
    bool isOfThisMachine = false; ///< else it is shown as recorded

    bool operator==(const KeptCrossover&) const = default;
};

/// Newest first, those of this machine before all others. What cannot be read is left out.
std::vector<KeptCrossover> keptCrossovers();
/// In the place of the one that asked the same of the same device. Errors: those of saveFile(), machine/folder.
Result<void> keepCrossover(const CrossoverSweep& sweep);

} // namespace tilewright::ui
