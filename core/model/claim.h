// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit is said to do to the speed, as a number where the words hold one; and how the claims of an author stood
// up to measurement. Pure.
#pragma once

#include "core/model/run_state.h"

#include <string_view>

namespace tilewright {

/// The claimed speed ratio to the parent: "+4 %" → 1.04, "1.2x with kept tiles" → 1.2, "2 to 4 % faster" → 1.03,
/// "10 % slower" → 0.9, "no change" → 1. None for claims of single shapes ("+3 % on 720×750×40"), of anything but
/// speed ("-20 % registers", "8 % less time"), and for words without a number.
std::optional<double> claimedRatio(std::string_view claim);

/// What is claimed of one shape.
struct ShapeClaim {
    Shape shape; ///< extents as they were written, which is the task's order
    double ratio = 1; ///< as claimedRatio()

    bool operator==(const ShapeClaim&) const = default;
};
/// The claims of single shapes, each once: "+3 % on 720×750×40, 512³ gains 5 %", "no change on 64x64 and 96x96". None
/// where a shape is named beside anything but a speed.
std::vector<ShapeClaim> shapeClaims(std::string_view claim);

/// Claims of one author beside what was measured of the same edits.
struct ClaimRecord {
    std::int64_t measured = 0; ///< edits with a claim in numbers and a measured change
    double medianExcess = 0; ///< claimed less measured gain, as a fraction: above 0 it claims too much

    bool operator==(const ClaimRecord&) const = default;
};
/// Authors as authorOf() names them. One pass over all candidates.
ClaimRecord claimRecordOf(const RunState& run, std::string_view author);

} // namespace tilewright
