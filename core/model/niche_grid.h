// SPDX-License-Identifier: Apache-2.0
// Where the bins of a run's niches begin and end. They cover a range that fits most programs of a kind at first; once
// the programs of the islands are seen to fill another one, the grid is cut anew over that (core/evolve/rebinning.h).
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/model/task/task.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

struct RunState;
struct LogLine;

/// A grid that was cut anew: the scale of each axis, and when that was.
struct NicheGrid {
    std::vector<NicheScale> scales; ///< one for each axis of the task; empty: those of the features
    std::int64_t evaluations = 0; ///< results the run had then

    bool operator==(const NicheGrid&) const = default;
};

/// code_bytes 2^9 … 2^14 bytes, products of tunables 2^6 … 2^27 elements, unless the axis has a scale of its own.
inline NicheScale nicheScale(const NicheAxis& axis)
{
    return axis.scale.value_or(axis.feature == "code_bytes" ? NicheScale{9, 14} : NicheScale{});
}

/// The value from which bin `bin` holds, 0 … bins (the end of the last one). The first bin also takes what is below its
/// start, the last one what is above its end. An axis that is not log2 begins at 0.
inline double nicheBinStart(const NicheAxis& axis, int bin)
{
    const NicheScale scale = nicheScale(axis);
    const double part = static_cast<double>(bin) / axis.bins;
    return axis.log2 ? std::exp2(scale.lo + (scale.hi - scale.lo) * part) : std::exp2(scale.hi) * part;
}

/// The axes of the task with the scales of the run.
std::vector<NicheAxis> nicheAxes(const RunState& run, const Task& task);

namespace events {
/// The islands' grids have these scales from here on, and candidates that had a cell these cells; who holds a cell
/// follows.
struct GridRebinned {
    std::vector<NicheScale> scales;
    std::vector<CandidateId> candidates;
    std::vector<std::string> cells; ///< of each of the candidates
    bool operator==(const GridRebinned&) const = default;
};
} // namespace events

/// What apply() in run_state.h does for it, and what the log says of it; errors as there.
Result<LogLine> applyGrid(RunState& state, const events::GridRebinned& event);

} // namespace tilewright
