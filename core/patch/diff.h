// SPDX-License-Identifier: GPL-3.0-or-later
// Line differences (Myers, "An O(ND) Difference Algorithm", 1986) and their unified form. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

enum class LineChange { Same, Removed, Added };

struct DiffLine {
    LineChange change = LineChange::Same;
    std::size_t oldLine = 0, newLine = 0; ///< 0-based; the one that does not apply is the next one of that side
    std::string_view text; ///< points into the compared texts

    bool operator==(const DiffLine&) const = default;
};

/// The whole alignment of two texts, in order. Shortest up to 2000 changed lines; beyond that, everything between the
/// common head and tail counts as replaced.
std::vector<DiffLine> diffLines(std::string_view before, std::string_view after);

/// "--- a/NAME", "+++ b/NAME" and hunks; empty when the texts are equal.
std::string unifiedDiff(
    std::string_view before, std::string_view after, std::string_view name, std::size_t context = 3);

/// The same of an alignment, which may come from elsewhere.
std::string unifiedDiff(const std::vector<DiffLine>& lines, std::string_view name, std::size_t context = 3);

} // namespace tilewright
