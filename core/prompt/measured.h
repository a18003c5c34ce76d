// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured of one program, shape by shape, beside the best known, the baseline and the vendor. Train shapes
// only: a held-out figure never gets in here, so nothing made from it can show one. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// One train shape.
struct MeasuredShape {
    Shape shape;
    double ns = 0; ///< median of this program; 0 when it was not measured
    double bestNs = 0; ///< of the best known program, in its own evaluation
    double baselineNs = 0, vendorNs = 0; ///< 0 unknown
    std::optional<Interval> versusPaired; ///< paired program's time / this one's: above 1 this one is faster
    std::optional<Interval> versusVendor; ///< vendor's time / this one's, measured in pairs
    double flops = 0, bytes = 0; ///< useful work and least traffic

    double gigaflopsPerSecond() const { return ns > 0 ? flops / ns : 0; }
    double gigabytesPerSecond() const { return ns > 0 ? bytes / ns : 0; } ///< 10⁹ bytes
    double flopsPerByte() const { return bytes > 0 ? flops / bytes : 0; }
    /// This program's speed as a fraction of the vendor's; 0 unknown.
    double ofVendor() const;
};

struct Measured {
    CandidateId candidate, pairedWith, best;
    std::vector<MeasuredShape> shapes; ///< in the task's order
    double gigahertz = 0; ///< highest clock seen while it was timed; 0 unknown
    double noiseFloor = 0; ///< fraction
    nlohmann::json resources; ///< of the build; null unknown
    nlohmann::json profile; ///< counters, where a profiler ran; else null

    bool any() const;
};

/// From the candidate's latest evaluation; the other sides from the newest evaluations that hold them.
Measured measuredOf(const RunState& state, const Task& task, CandidateId candidate);

/// Single-precision (or `dtype`) numbers of one vector register by the device's facts; 1 where they name no extension.
int vectorLanes(const nlohmann::json& deviceFacts, Dtype dtype);

/// Per-shape table; "" when nothing was measured.
std::string timesTable(const Measured& measured, const Task& task);
/// "code 9.3 KiB, machine code 5.15 KiB, 40 registers a thread, …"; "" when unknown.
std::string resourcesText(const Measured& measured);
/// Lines of the roofline: rate, flop per cycle and what one unit could do, intensity, traffic. "" when not measured.
std::string rooflineText(const Measured& measured, const Task& task, const nlohmann::json& deviceFacts);

} // namespace tilewright
