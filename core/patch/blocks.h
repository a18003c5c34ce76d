// SPDX-License-Identifier: GPL-3.0-or-later
// SEARCH/REPLACE blocks as hunks: the line difference of the two halves. Pure.
#pragma once

#include "core/patch/hunk.h"

namespace tilewright::patch {

bool isSearchMarker(std::string_view line);
bool isReplaceMarker(std::string_view line);

/// What follows the last block: whether a block that misses its end was cut off or is broken.
enum class End { Open, Closed };

/// Errors: MALFORMED (a block without divider or end), TRUNCATED (the same at an open end), NO_CONTEXT (empty SEARCH).
std::expected<ParsedPatch, Refusal> parseBlocks(const std::vector<std::string_view>& lines, End end);

} // namespace tilewright::patch
