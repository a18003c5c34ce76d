// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the program that a hunk was most likely meant for. For messages only: nothing is ever applied by
// likeness. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/matching.h"

namespace tilewright::patch {

/// An old line of the hunk that the program does not have, and the line that is most like it there.
struct Misquoted {
    std::string written; ///< without its sign
    std::optional<std::size_t> row; ///< 0-based; none where nothing near is like it
};

struct NearestPlace {
    std::size_t from = 0, to = 0; ///< 0-based, one past the last; without lines around them
    double likeness = 0; ///< of the hunk's old lines to these, 0 to 1
    std::vector<Misquoted> misquoted;
};

/// None where the hunk has no old lines, or no line of the program is like any of them.
std::optional<NearestPlace> nearestPlace(Matcher& matcher, const Hunk& hunk);

} // namespace tilewright::patch
