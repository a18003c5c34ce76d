// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep: one program with other values of two of its constants, each version measured in pairs with the same
// reference tile; and the file that keeps it. What is refused or does not build stands in it with its reason. Values.
#pragma once

#include "core/base/result.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/tunables.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One constant of the program and the values that it takes.
struct SweepAxis {
    std::string name;
    std::vector<std::int64_t> values;

    bool operator==(const SweepAxis&) const = default;
};
inline constexpr std::size_t longestAxis = 64;

struct SweepCell {
    int row = 0, column = 0; ///< places on the axes, from 0
    double ns = 0; ///< median time; 0: there is none
    int samples = 0;
    std::optional<Interval> ratio; ///< reference tile's time / this one's, with its 95 % interval
    std::string rule, text; ///< where there is no figure: what refused it, and why

    bool isMeasured() const { return ratio.has_value() && ns > 0; }
    bool operator==(const SweepCell&) const = default;
};

struct TileSweep {
    std::string task, program; ///< program: SHA-256 of its text
    Shape shape;
    double flops = 0; ///< of the shape
    Tunables reference; ///< of the tile that all are measured beside; an axis replaces one of its values
    SweepAxis rows, columns;
    std::string device, deviceId, date; ///< date: UTC, ISO 8601, when it began
    int protocol = 0; ///< measurementProtocol
    nlohmann::json environment; ///< of the reference tile's measurement
    std::vector<SweepCell> cells; ///< those that are done

    /// Null: it is not done yet.
    const SweepCell* at(int row, int column) const;
    Tunables tunablesAt(int row, int column) const;
    bool isComplete() const { return cells.size() == rows.values.size() * columns.values.size(); }
    double gigaflops(const SweepCell& cell) const { return cell.ns > 0 ? flops / cell.ns : 0; }
    /// The same cells of the same program, on any device at any time.
    bool asksTheSame(const TileSweep& other) const;
    bool operator==(const TileSweep&) const = default;
};

/// As a file holds it.
std::string sweepJson(const TileSweep& sweep);
/// Errors: sweep/file (no sweep, or damaged), sweep/protocol (measured by another version of the protocol).
Result<TileSweep> sweepFrom(std::string_view json);

} // namespace tilewright
