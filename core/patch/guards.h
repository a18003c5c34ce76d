// SPDX-License-Identifier: GPL-3.0-or-later
// What a patch must not touch: everything outside the EVOLVE-BLOCKs, and their markers. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/source_text.h"
#include "core/source/program_text.h"

namespace tilewright::patch {

/// The blocks of a program as core/source reads them; empty where its markers are broken.
std::vector<EvolveBlock> blocksIn(std::string_view text);

/// Whether all outside the blocks, and their markers, are the same in both. False of a program without blocks.
bool keepsProtectedLines(std::string_view before, std::string_view after);

/// Errors: MARKER_CHANGED, OUTSIDE_EVOLVE_BLOCK. hunk: the one that the first edit outside comes from.
std::expected<void, Refusal> checkGuards(
    std::string_view before, std::string_view after, const std::vector<Edit>& edits);

} // namespace tilewright::patch
