// SPDX-License-Identifier: GPL-3.0-or-later
// Where candidates stand along a run: by evaluation, generation, time or money; and a stretch of that which a user
// has chosen. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::ui {

enum class RunAxis { Evaluation, Generation, WallTime, Cost };
constexpr int runAxes = 4;

/// Nowhere on the axis.
constexpr double noPlace = -1;

/// Made once for many candidates of one state of the run.
class RunPlaces
{
public:
    RunPlaces(const RunState& run, RunAxis axis);
    RunAxis axis() const { return m_axis; }

    /// Of its result, not of its beginning: what was approved late was known late. noPlace before, and by cost where no
    /// answer cost anything.
    double of(const Candidate& candidate) const;
    /// Of a moment of the run; noPlace on the axis of generations.
    double of(std::int64_t evaluations, std::int64_t runNs) const;

private:
    double costUntil(std::int64_t runNs) const;

    RunAxis m_axis;
    std::vector<std::pair<std::int64_t, double>> m_costs; ///< (run time, dollars spent until then), in order
};

/// From–to on an axis, both included.
struct RunRange {
    RunAxis axis = RunAxis::Evaluation;
    double from = 0, to = 0;

    bool operator==(const RunRange&) const = default;
};

QString nameOf(RunAxis axis); ///< "Evaluation"
/// "evaluation 12–40", "3.0–7.5 min", "$0.02–$0.31".
QString words(const RunRange& range);

} // namespace tilewright::ui
