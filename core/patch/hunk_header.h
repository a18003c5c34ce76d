// SPDX-License-Identifier: GPL-3.0-or-later
// The line "@@ -12,5 +12,6 @@ heading", and how far the hunk goes that it counts. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// Is this line a header of hunks ("@@ …")?
bool isHunkHeader(std::string_view line);

struct HunkHeader {
    std::optional<std::size_t> oldStart; ///< 0-based
    std::optional<std::size_t> oldCount, newCount; ///< both or none
    std::string_view heading; ///< what stands behind the numbers; "" if nothing
};
HunkHeader readHunkHeader(std::string_view line);

/// The line behind the hunk whose header stands at `header`, if its counts can be believed: they come out even, and
/// then something follows that ends a hunk. Lines within are text, whatever they look like (a fence, a closing tag).
/// Nothing for a header without counts, or where they do not fit. indent: blanks that all lines have in front.
std::optional<std::size_t> countedEnd(
    const std::vector<std::string_view>& lines, std::size_t header, std::size_t indent = 0);

/// The line without so many leading blanks, or with fewer if it has fewer.
std::string_view outdented(std::string_view line, std::size_t blanks);

/// "```", "~~~cpp": a line that opens or closes a fence.
bool isFenceLine(std::string_view line);

} // namespace tilewright::patch
