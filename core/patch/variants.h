// SPDX-License-Identifier: GPL-3.0-or-later
// What may be wrong about a hunk as a whole: copied line numbers, words and "..." inside its context, blank lines,
// misquoted outer context, two hunks run into one. Each variant must lead to one place, without hints. Pure.
#pragma once

#include "core/patch/locate.h"

namespace tilewright::patch {

/// Errors: AMBIGUOUS, ALREADY_APPLIED, NO_MATCH.
std::expected<Placement, Refusal> locateHunk(Matcher& matcher, const Hunk& hunk, std::size_t number);

/// Do the lines of a hunk without a change stand one after the other somewhere, but for words and "..." among them?
bool standTogether(Matcher& matcher, const Hunk& hunk, std::size_t number);

} // namespace tilewright::patch
