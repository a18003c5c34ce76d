// SPDX-License-Identifier: GPL-3.0-or-later
// An island's niches as a chart: axes with the bounds of their bins, the best member of each cell. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>
#include <vector>

namespace tilewright::ui {

struct NicheCell {
    int column = 0, row = 0; ///< −1: programs for which the feature is unknown
    CandidateId elite;

    bool operator==(const NicheCell&) const = default;
};

struct NicheLine {
    QString name; ///< "tile size"
    QString term; ///< what it is by the task's own words: "MC·NC·KC"
    QString unit; ///< of its bounds: "B"; empty: none
    std::vector<double> starts; ///< of each bin, and the end of the last one; empty for an axis that is not there
    bool unknown = false; ///< a line of its own for what has no such feature

    int bins() const { return starts.empty() ? 1 : static_cast<int>(starts.size()) - 1; }
    bool operator==(const NicheLine&) const = default;
};

struct NicheChart {
    IslandId island;
    NicheLine across, up;
    std::vector<NicheCell> cells; ///< those that are held, by row, then column

    const NicheCell* at(int column, int row) const;
    bool operator==(const NicheChart&) const = default;
};

/// Without a task the bins are as many as are held, and without bounds.
NicheChart nicheChartOf(const RunState& run, const Task* task, IslandId island);
/// "512 … 4 Ki", "< 512", "≥ 8 KiB", "unknown"; the number of the bin where bounds are not known.
QString boundsText(const NicheLine& line, int bin);
/// "4 Ki": with binary prefixes, at most three digits.
QString binaryNumber(double value);

} // namespace tilewright::ui
