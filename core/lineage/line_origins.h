// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidate brought each line of a program. A line that a candidate's patch leaves as it is comes from its first
// parent; of the lines that the patch of a crossover adds, those that another parent has come from that one: in the
// same order, or at another place if they have a letter or digit and one origin there. Works on the texts of the
// session and needs no git. Pure.
#pragma once

#include "core/lineage/session_texts.h"
#include "core/model/run_state.h"
#include "core/patch/diff.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct LineOrigin {
    CandidateId candidate; ///< that brought the line; never a migrated copy
    std::size_t line = 0; ///< in the program of that candidate, from 0

    bool operator==(const LineOrigin&) const = default;
};

struct LineOrigins {
    std::string text; ///< of the program
    std::vector<LineOrigin> lines; ///< one a line of it

    bool operator==(const LineOrigins&) const = default;
};

/// Errors: candidate/unknown, those of `textOf`.
Result<LineOrigins> lineOriginsOf(const RunState& state, CandidateId candidate, const TextOf& textOf);

/// All ancestors of a candidate and itself, oldest first, copies as what they are copies of. Empty for an unknown one.
std::set<CandidateId> ancestryOf(const RunState& state, CandidateId candidate);

/// How two texts align by the hunks of a unified diff from one to the other, as it was recorded. Where the diff does
/// not lead from the one to the other, as diffLines().
std::vector<DiffLine> alignmentBy(std::string_view before, std::string_view after, std::string_view diff);

} // namespace tilewright
