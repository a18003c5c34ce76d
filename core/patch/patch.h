// SPDX-License-Identifier: GPL-3.0-or-later
// From a reply to a new program text: all or nothing, and never a guess. Pure: any bytes in, a result or a coded
// refusal out. Here: the primary form <reasoning>…</reasoning><diff>unified
// diff</diff><expected_impact>…</expected_impact> with hunks that match exactly (trailing blanks aside) in one place.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct Reply {
    std::string reasoning, diff, claim;
};

/// Finds the three parts; a bare unified diff is a reply without reasoning. Errors: NO_DIFF.
Result<Reply> parseReply(std::string_view reply);
/// The primary reply form around a diff.
std::string replyText(const Reply& reply);

struct PatchResult {
    std::string text; ///< the new program
    std::string diff; ///< normalised unified diff, three lines of context
    std::vector<std::string> repairs; ///< what had to be mended, in words; empty for a clean patch
};

/// Applies a unified diff. Error codes as in PATCHES: AMBIGUOUS, NO_MATCH, NO_CONTEXT, MALFORMED, OUTSIDE_EVOLVE_BLOCK,
/// MARKER_CHANGED, CONFLICT, NO_CHANGE, ALREADY_APPLIED, NO_DIFF, OTHER_FILE; evidence {"hunk": 1-based}.

Result<PatchResult> applyDiff(std::string_view source, std::string_view diff);

/// "patch/no-match" for "NO_MATCH": the code as a rule.
std::string ruleOfCode(std::string_view code);

} // namespace tilewright
