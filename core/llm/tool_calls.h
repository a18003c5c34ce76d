// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that a model gives as the call of a tool that nobody offered: the edit stands in the arguments. Pure.
#pragma once

#include "core/llm/protocol.h"

#include <string>
#include <string_view>

namespace tilewright {

/// The text of what servers write as a text, a part, or a list of parts: {"type":"text","text":…},
/// {"text":{"value":…}}, plain texts. Parts of thinking go to `reasoning`, a refusal to `refusal`.
void takeContent(Answer& answer, const nlohmann::json& content);

/// The call with this index of the answer, made if need be.
ToolCall& toolCallOf(ReplyContent& content, std::int64_t answer, std::int64_t index);
/// Arguments that came at once: a text, or an object.
std::string argumentsText(const nlohmann::json& arguments);

/// The edit that a call's arguments hold, as a reply would write it: {"patch": …}, {"input": …}, {"old_string": …,
/// "new_string": …}, a list of those, a text. "" if they hold none.
std::string editOf(const ToolCall& call);

/// Puts the edit of its calls in the place of an answer that is none, or that ended to call a tool. Says which tool was
/// called where no edit can be read; "" otherwise.
std::string readToolCalls(Answer& answer, const std::vector<ToolCall>& calls);

// JSON as servers really send it: half a surrogate pair, bytes that are no UTF-8, NaN for a number that nobody needs.
// What is broken becomes U+FFFD or null; everything else stays. Pure.

/// The text with what the JSON grammar forbids replaced: bytes that are no UTF-8 and surrogates without their partner
/// become U+FFFD; control characters in a string their escape; words and numbers that are no JSON values (NaN,
/// -Infinity, 1e999, None) null; Python's True and False theirs. A text that is valid JSON is valid with the same
/// value.
std::string mendedJson(std::string_view text);

} // namespace tilewright
