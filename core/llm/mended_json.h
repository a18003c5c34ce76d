// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as servers really send it: half a surrogate pair, bytes that are no UTF-8, NaN for a number that nobody needs.
// What is broken becomes U+FFFD or null; everything else stays. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// The text with what the JSON grammar forbids replaced: bytes that are no UTF-8 and surrogates without their partner
/// become U+FFFD; control characters in a string their escape; words and numbers that are no JSON values (NaN,
/// -Infinity, 1e999, None) null; Python's True and False theirs. A text that is valid JSON is valid with the same
/// value.
std::string mendedJson(std::string_view text);

} // namespace tilewright
