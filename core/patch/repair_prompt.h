// SPDX-License-Identifier: GPL-3.0-or-later
// What one repair turn sends: the failing hunk, the nearest real lines (named by their numbers, but without numbers in
// them, as they are to be copied) and how they differ, what may be changed, which hunks were fine, and the form where
// that was wrong. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/matching.h"

namespace tilewright::patch {

/// What is wrong, of every hunk that failed. refusals: one at least. fine: numbers of the hunks that would have
/// applied.
std::string findingText(const std::vector<Refusal>& refusals, Matcher& matcher, const std::vector<Hunk>& hunks,
    const std::vector<std::size_t>& fine);

/// What to send in its place, with the form where that was wrong.
std::string orderText(std::string_view code, Prompt prompt);

} // namespace tilewright::patch
