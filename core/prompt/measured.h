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
    double baselineNs = 0, vendorNs = 0; ///< in the same evaluation; 0 when it did not time them
    std::optional<Interval> versusPaired; ///< paired program's time / this one's: above 1 this one is faster
    std::optional<Interval> versusVendor; ///< vendor's time / this one's, measured in pairs
    /// This program's speed over the vendor's and the best program's where they were not timed together: by way of the
    /// programs that each was paired with. Times of different hours are never divided. 0 unknown.
    double ofVendorByChain = 0, ofBest = 0;
    std::optional<Interval> versusBest; ///< the best one's time / this one's, measured in pairs
    double flops = 0, bytes = 0; ///< useful work and least traffic
    double padding = 0; ///< share of a grid of whole tiles (Measured::tile) that lies outside of the result

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
    nlohmann::json profile; ///< what countersOf() knows
    std::string tile; ///< "10×48", where its constants tell and padding is at least 5 % on some shape; else ""

    bool any() const;
};

/// From the candidate's latest evaluation, and from those of the programs it was paired with.
Measured measuredOf(const RunState& state, const Task& task, CandidateId candidate);

/// Single-precision (or `dtype`) numbers of one vector register by the device's facts; 1 where they name no extension.
int vectorLanes(const nlohmann::json& deviceFacts, Dtype dtype);

/// The highest rate that the vendor's library reached on one of the shapes, as far as it was timed; and where.
struct VendorRate {
    double gigaflopsPerSecond = 0; ///< 0 unknown
    Shape shape;
    bool timed = false; ///< beside the program; else by way of programs that both were paired with
};
VendorRate vendorRate(const Measured& measured);

/// Speed of one candidate over another on a train shape, by way of the pairs that both were measured in.
struct ShapeSpeed {
    Shape shape;
    double ratio = 0;
    bool paired = false; ///< measured side by side; else by way of programs that both were paired with
};
/// Shapes where it is known, slowest first.
std::vector<ShapeSpeed> speedsByShape(const RunState& state, const Task& task, CandidateId candidate, CandidateId over);

/// Per-shape table; "" when nothing was measured. `beside`: speeds over this program stand in a column of their own, as
/// speedsByShape() tells them.
std::string timesTable(
    const Measured& measured, const Task& task, CandidateId beside = {}, const std::vector<ShapeSpeed>& speeds = {});
/// "Machine code of 5.15 KiB", registers, spills, the hot loop; "" when unknown.
std::string resourcesText(const Measured& measured);
/// The roofline: rates against what the device was measured to do; flop per cycle where that was not measured; traffic
/// where it is at least half of the bandwidth. What is not known is said to be unknown. "" when not measured.
std::string rooflineText(const Measured& measured, const Task& task, const nlohmann::json& deviceFacts);

} // namespace tilewright
