// SPDX-License-Identifier: GPL-3.0-or-later
// From a model's reply to a new program text: all or nothing, and never a guess. Pure and total: any bytes in, a result
// or a coded refusal out. Four forms of reply, told apart by content: <reasoning>…<diff>…<expected_impact>, SEARCH/
// REPLACE blocks, "*** Begin Patch" envelopes, a whole program in one fence.
//
// The other files of this room are its steps: payload (what of the reply is the patch), unified and blocks (one hunk
// form), elision (placeholders), folding and indentation (what counts as the same line), locate (where a hunk
// stands in the original), variants (what may be left out of its context), listing (copied line numbers),
// forgotten_minus and dropped_lines (signs that are missing), successor (which line replaces which), edits (the new
// text), guards (what must stay), strict (the self-check), repair_prompt.
//
// Where PATCHES.md is silent:
//  - Lines mend, tokens do not: blanks may differ except inside quotes and where they part two words or operators.
//  - A hunk with one-sided context whose new lines already stand there is ALREADY_APPLIED, not applied twice.
//  - Two different diffs in one reply: CONFLICT where they change the same lines, else MALFORMED.
//  - At most three context lines in all are dropped as misquoted, only if one place is left without any hint.
//  - An unclosed payload is complete only if the counts of every hunk say so and the provider says that the reply ended
//    by itself: counts cannot tell of a hunk that never came. An unclosed <think>, or block's body, never is.
//    A closed one is complete whatever the provider says: what was cut off stood behind it.
//  - Where a hunk's counts come out even they decide how far it goes, whatever its lines look like.
//  - A hunk of context alone changes nothing if its lines stand together in the program; else a sign is missing in it.
//  - A context line that the new line beside it replaces (the same name, place, head, …) has lost its -: NO_MATCH.
//    Where neither the two lines nor the counts tell, the hunk inserts, as it says. Counts tell nothing where the old
//    lines stand in exactly one place to the letter.
//  - Old lines that differ inside comments alone match in a unique place, if some code stands in them.
//  - The body that a rewrite asks for stands in the one fence that names the program's language, or names none and
//    reads as a program. Listed line numbers, escapes and a shift of it as a whole are undone as in a whole program.
//  - A fence of Markdown, or around nothing but another fence, is not there.
//  - Typographic quotes, dashes and blanks in added code are mended where the program's code has none; in strings and
//    comments they stay.
//  - Wrong or missing numbers of a hunk, and a missing file header, are notes and no repairs: prompts say that the text
//    decides. Where it fits several places and the heading chose one of them, they are repairs.
//  - A rename, deletion or new file is OTHER_FILE; a single wrong name is not, as there is only one program.
//  - Added lines get the source's most frequent line end; kept lines keep theirs. BOM and final newline stay.
//  - A whole program may differ outside the block in trailing blanks only; the source's bytes stay there.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct ReplyWords {
    std::string reasoning, diff, claim;
    std::string title = {}; ///< what changes, in few words, one line; "" where the reply has none
};

/// The three parts; diff is what stands in <diff>, or the bare unified diff. Errors: NO_DIFF, TRUNCATED.
Result<ReplyWords> parseReply(std::string_view reply);
/// Title, reasoning and claim of any reply, also of one that holds no patch; diff stays empty.
ReplyWords wordsOf(std::string_view reply);
/// The primary reply form around a diff.
std::string replyText(const ReplyWords& reply);

/// One malformation that was mended, or only seen.
struct Repair {
    std::string code; ///< "hunk-header", "indentation", …
    std::size_t hunk = 0; ///< 1-based; 0 where it concerns the whole reply
    std::string text; ///< for a user
    bool isNote = false; ///< of a number or name that nothing hung on: nothing had to be mended

    bool operator==(const Repair&) const = default;
    /// "hunk 2: text".
    std::string line() const;
};

struct PatchResult {
    std::string text; ///< the new program, line ends, BOM and final newline as in the source
    std::string diff; ///< normalised unified diff with LF and three lines of context
    std::vector<Repair> repairs; ///< empty for a clean patch
    std::vector<Repair> notes; ///< line numbers, counts and file names that are wrong or missing where the text decides
    std::string reasoning, claim; ///< "" where the reply has none
};

/// Why nothing was applied. Codes as in PATCHES: AMBIGUOUS, NO_MATCH, NO_CONTEXT, ELIDED_CODE, TRUNCATED, MALFORMED,
/// OTHER_FILE, OUTSIDE_EVOLVE_BLOCK, MARKER_CHANGED, CONFLICT, NO_CHANGE, ALREADY_APPLIED, NO_DIFF.
struct Refusal {
    std::string code;
    std::string text; ///< one sentence
    std::size_t hunk = 0; ///< 1-based; 0 where it concerns the whole reply
    nlohmann::json evidence; ///< {"lines": [1-based], "fine": [hunks]} as far as known; else null
    std::string finding; ///< what is wrong, with the lines it is about
    std::string repairPrompt; ///< what one repair turn sends to the model: the finding, and what to send
    std::string reasoning, claim;

    /// The same as an Error; evidence holds "hunk" as well.
    Error error() const;
};

/// Which prompt the reply answers. A reply to Rewrite may be the body of the one EVOLVE-BLOCK in a fence.
enum class Prompt { Edit, Rewrite };

struct PatchOptions {
    std::string finishReason; ///< as the provider sent it; "" if unknown
    Prompt prompt = Prompt::Edit;
    std::size_t largestText = std::size_t(4) << 20; ///< bytes of the reply, and of the new text
};

/// Applies a reply. name: the program's file name; "" when nobody said one (then no name in the reply is wrong).
std::expected<PatchResult, Refusal> applyReply(
    std::string_view source, std::string_view name, std::string_view reply, const PatchOptions& options = {});

/// Applies a unified diff alone, with the same care. Error codes as above; evidence {"hunk": 1-based, …}.
Result<PatchResult> applyDiff(std::string_view source, std::string_view diff);

/// "patch/no-match" for "NO_MATCH": the code as a rule.
std::string ruleOfCode(std::string_view code);

} // namespace tilewright
