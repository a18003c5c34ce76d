// SPDX-License-Identifier: GPL-3.0-or-later
// All hunks of a reply find their places, each read in the light of the others: what one shows about the reply's
// escapes, blanks and tabs holds for all. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/matching.h"
#include "core/patch/source_text.h"

#include <set>

namespace tilewright::patch {

struct HunksPlaced {
    std::expected<std::vector<Edit>, Refusal> edits; ///< sorted, without overlap; else why the first bad hunk is none
    std::vector<Refusal> failing; ///< of each hunk without a place, in order; empty where the hunks conflict
    std::vector<Repair> repairs;
    std::vector<std::size_t> fine; ///< 1-based numbers of the hunks that found a place
    std::set<std::size_t> hinted; ///< of them: where number or heading chose among several
};

/// Refusals: NO_MATCH, AMBIGUOUS, ALREADY_APPLIED, CONFLICT and those of locateHunk.
HunksPlaced placeHunks(const SourceText& source, Matcher& matcher, const std::vector<Hunk>& hunks);

} // namespace tilewright::patch
