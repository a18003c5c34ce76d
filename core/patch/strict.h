// SPDX-License-Identifier: GPL-3.0-or-later
// The self-check: a normalised diff applied by its numbers and bytes alone. Shares no code with the search. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewright::patch {

/// The text after the diff; nothing if a number, a count or a byte of it is not exactly right. Final newline as in
/// text.
std::optional<std::string> appliedStrictly(std::string_view text, std::string_view diff);

} // namespace tilewright::patch
