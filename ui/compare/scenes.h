// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots of the Compare screen show, made of a comparison and a run. Pure but for words, which are translated.
#pragma once

#include "core/compare/comparison.h"
#include "core/model/measurement/overfitting.h"
#include "core/model/measurement/roofline.h"
#include "ui/compare/point_scene.h"

namespace tilewright::ui {

/// The programs of a comparison as they are shown.
struct ComparedLook {
    Marker marker;
    QString name;
    CandidateId candidate; ///< of the open session; none: it cannot be selected
};

/// Geometric mean over the train shapes of a program's time in ns; none where one of them was not timed.
std::optional<double> meanTimeOf(const Comparison& comparison, std::size_t program);
/// The same of its rate in GFLOP/s, by split.
std::optional<double> meanRateOf(const Comparison& comparison, std::size_t program, ShapeSplit split);

/// Rates over arithmetic intensity by the least traffic of the task, below the roofs of the device.
PointScene rooflineScene(
    const Comparison& comparison, const std::vector<ComparedLook>& looks, const Task& task, const DeviceLimits& limits);

/// What stands beside time in the plot of trade-offs.
enum class Cost { Registers, SharedMemory, MachineCode, Error, Energy };
QString words(Cost cost);
/// Those that any candidate of the run has.
std::vector<Cost> costsOf(const RunState& run);
/// Of one measurement: a count, bytes, joules a launch, or for an error its share of the limit in percent.
std::optional<double> costOf(const EvaluationResult& result, Cost cost);
/// Time over all train shapes, or on one of the task's (an index into Comparison::shapes), and what it costs; the other
/// candidates of the run as grey marks.
PointScene tradeOffScene(const Comparison& comparison, const std::vector<ComparedLook>& looks, const RunState& run,
    Cost cost, std::optional<std::size_t> shape);

/// How the timings of each program on one shape are spread.
PointScene spreadScene(const Comparison& comparison, const std::vector<ComparedLook>& looks, std::size_t shape);

enum class GapGroups { Islands, Proposers };
/// The gap between held-out and train score of each confirmed candidate, over its results.
PointScene heldoutScene(const RunState& run, GapGroups groups);

} // namespace tilewright::ui
