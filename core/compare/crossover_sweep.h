// SPDX-License-Identifier: GPL-3.0-or-later
// A program of a scheme beside its leaf, measured at several sizes on one device; and the file that keeps it. A size
// that is refused stands in it with its reason. Values.
#pragma once

#include "core/base/result.h"
#include "core/compare/crossover.h"

#include <string>
#include <string_view>

namespace tilewright {

/// One size, M = N = K.
struct CrossoverCell {
    std::int64_t size = 0;
    double programNs = 0, leafNs = 0; ///< median times; 0: not recorded
    int samples = 0; ///< 0: not recorded
    std::optional<Interval> ratio; ///< the leaf's time / the program's, with its 95 % interval
    std::string rule, text; ///< where there is no figure: what refused it, and why

    bool operator==(const CrossoverCell&) const = default;
};

struct CrossoverSweep {
    std::string task; ///< that the measured one is derived from
    std::string scheme, format; ///< its name, and "2x2x2"
    int rank = 0, levels = 1;
    std::string coefficients; ///< SHA-256 of the scheme's coefficients (as the file's author counts them)
    std::string leaf, leafProgram; ///< its name, and SHA-256 of its text
    std::vector<std::int64_t> sizes; ///< that were asked for, from the smallest
    std::string device, deviceId, date; ///< date: UTC, ISO 8601, when it began
    int protocol = 0; ///< measurementProtocol
    nlohmann::json environment; ///< of the first measurement; null: not recorded
    std::vector<CrossoverCell> cells; ///< those that are done

    /// Null: it is not done yet.
    const CrossoverCell* at(std::int64_t size) const;
    bool isComplete() const { return cells.size() == sizes.size(); }
    std::vector<CrossoverPoint> points() const; ///< those with a figure
    /// The same sizes of the same programs, on any device at any time.
    bool asksTheSame(const CrossoverSweep& other) const;
    bool operator==(const CrossoverSweep&) const = default;
};

inline constexpr std::size_t mostCrossoverSizes = 32;

/// As a file holds it.
std::string crossoverJson(const CrossoverSweep& sweep);
/// Errors: crossover/file (none, or damaged), crossover/protocol (measured by another version of the protocol).
Result<CrossoverSweep> crossoverFrom(std::string_view json);

} // namespace tilewright
