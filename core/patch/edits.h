// SPDX-License-Identifier: GPL-3.0-or-later
// From lines that have found their places to the smallest edits, and whether the edits of all hunks agree. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/source_text.h"

namespace tilewright::patch {

/// A hunk's line with its row in the program (context, removed) or its final text (added).
struct PlacedLine {
    Sign sign = Sign::Context;
    std::size_t row = 0;
    std::string text;
};

/// Nothing if an insertion stands between lines that are no neighbours, or removed lines are none.
std::optional<std::vector<Edit>> editsOf(
    const std::vector<PlacedLine>& lines, const std::vector<std::string_view>& source);

struct MergedEdits {
    std::vector<Edit> edits; ///< sorted, without overlap
    bool reordered = false, repeated = false;
};

/// Errors: CONFLICT (two hunks change the same lines, or insert at the same place, differently).
std::expected<MergedEdits, Refusal> merged(std::vector<Edit> edits);

} // namespace tilewright::patch
