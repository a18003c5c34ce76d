// SPDX-License-Identifier: GPL-3.0-or-later
// Unified diffs and the body of "*** Begin Patch" envelopes as hunks. Numbers and names are read, never relied on.
// Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/hunk_header.h"

namespace tilewright::patch {

/// What stands before the first header: in a payload that something marks as a diff it may be a hunk without header.
enum class Outside { Prose, MayBeHunk };

ParsedPatch parseUnified(const std::vector<std::string_view>& lines, Outside outside);

/// Is this line a header of a file ("--- a", followed by "+++ b")?
bool isFileHeader(const std::vector<std::string_view>& lines, std::size_t at);

/// The same program: equal, or one path ends with the other, a/ and b/ and time stamps aside.
bool sameFile(std::string_view one, std::string_view other);

} // namespace tilewright::patch
