// SPDX-License-Identifier: GPL-3.0-or-later
// How near a program is to what its device allows (Williams, Waterman, Patterson, "Roofline", CACM 2009): the larger of
// the times that its arithmetic at the device's peak and its least traffic at the memory's bandwidth would take, over
// the time it took. Pure.
#pragma once

#include "core/model/measurement/evaluation.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <optional>

namespace tilewright {

struct RunState;

/// The node's facts, with what it measured of the device when it timed the run's first program; those stay the same for
/// a whole run.
nlohmann::json deviceFactsOf(const RunState& state);

/// What the device can do at most; 0 unknown.
struct DeviceLimits {
    double gigaflopsPerSecond = 0; ///< in the format that the task's work is done in
    double gigabytesPerSecond = 0; ///< to and from memory, 10⁹ bytes
    /// Timed on the very device; else counted from its units and clocks, as the device tells them.
    bool measured = true;
};
/// From deviceFactsOf(). CPU: "measured_gflops" {"fp32": …} by the task's accumulator, and "measured_memory_gb_s". GPU:
/// "fp32_flops_per_s", "bf16_flops_per_s" and so on by the task's inputs, and "bandwidth_bytes_per_s".
DeviceLimits limitsOf(const nlohmann::json& deviceFacts, const Task& task);

/// One measured shape beside the roof.
struct RooflinePoint {
    Shape shape;
    double share = 0; ///< of what the device allows, 1 at the roof
    bool byTraffic = false; ///< the roof there is the memory's, else that of arithmetic

    bool operator==(const RooflinePoint&) const = default;
};
/// The train shapes of an evaluation, in its order; empty where limits, times or costs are not known.
std::vector<RooflinePoint> rooflineOf(const EvaluationResult& result, const Task& task, const DeviceLimits& limits);
/// Geometric mean of the shares; 0 for none.
double meanShare(const std::vector<RooflinePoint>& points);

// Where the vendor's library and the baseline stand on the scales of the run's figures. Every confirmation times both
// beside its candidate, and each of them says so anew: who is the best, or banned, changes nothing. Pure.

/// Of a figure that the run's confirmations measured again and again.
struct RepeatedFigure {
    Interval value; ///< the median; lo and hi: as far as any of the measurements and its 95 % interval reach
    int times = 0; ///< confirmations that measured it

    bool operator==(const RepeatedFigure&) const = default;
};

/// Baseline time / vendor time over the training shapes; none before the first confirmation.
std::optional<RepeatedFigure> vendorScore(const RunState& run);
/// The same, upside down: vendor time / baseline time.
std::optional<RepeatedFigure> baselineVersusVendor(const RunState& run);
/// Nanoseconds, as the geometric mean over the training shapes.
std::optional<RepeatedFigure> baselineTime(const RunState& run);
std::optional<RepeatedFigure> vendorTime(const RunState& run);

/// Geometric mean over the training shapes of one of their times; none where one of them was not taken.
std::optional<double> meanTime(const EvaluationResult& result, std::optional<double> (*timeOf)(const ShapeResult&));

} // namespace tilewright
