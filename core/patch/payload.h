// SPDX-License-Identifier: GPL-3.0-or-later
// What of a reply is the patch: thoughts, reasoning, prose, fences and CDATA taken off; the form told by content. Pure.
#pragma once

#include "core/patch/patch.h"
#include "core/patch/plain_code.h"

namespace tilewright::patch {

enum class Form { Unified, Blocks, Envelope, WholeProgram, Body };

/// Where a payload's end was seen.
enum class Ending { Marked, ReplyEnd, Unclosed };

struct Payload {
    Form form = Form::Unified;
    std::string text; ///< LF
    Ending ending = Ending::Marked;
    bool marked = false; ///< a tag or a fence says that this is a diff
};

struct Extraction {
    std::vector<Payload> payloads; ///< one, or several of the same form
    std::vector<Payload> others; ///< of other forms, beside them: illustrations, or answers that say something else
    std::vector<Repair> repairs;
    std::string reasoning, claim;
};

/// The words around the patch, as far as they can be found.
struct Words {
    std::string title, reasoning, claim;
};
Words wordsOfReply(std::string_view reply);

/// Was the reply cut, by what the provider said? ("length", "max_tokens", "MAX_TOKENS", …)
bool isCut(std::string_view finishReason);
/// Did it end by itself, by what the provider said? ("stop", "end_turn", "STOP", …) Neither where nobody said anything.
bool isEndedByItself(std::string_view finishReason);

/// kind: of the program, which says what fence a block's body may stand in. Errors: NO_DIFF, TRUNCATED,
/// MALFORMED.
std::expected<Extraction, Refusal> extractPayload(
    std::string_view reply, const PatchOptions& options, const ProgramKind& kind = {});

} // namespace tilewright::patch
