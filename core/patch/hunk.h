// SPDX-License-Identifier: GPL-3.0-or-later
// The one form that every kind of reply is brought into: hunks of context, removed and added lines.
#pragma once

#include "core/patch/patch.h"

#include <optional>

namespace tilewright::patch {

enum class Sign : char { Context = ' ', Removed = '-', Added = '+' };

struct HunkLine {
    Sign sign = Sign::Context;
    std::string text; ///< without its sign
    bool signWritten = true; ///< false for a line without a sign (lost, or of a form that has none)
    bool escaped = false; ///< an HTML escape was undone in it

    bool operator==(const HunkLine&) const = default;
};

struct Hunk {
    std::vector<HunkLine> lines;
    std::optional<std::size_t> oldStart; ///< 0-based line that the header names
    std::optional<std::size_t> oldCount, newCount; ///< of the header
    std::vector<std::string> headings; ///< what stands behind @@, outermost first
    std::string written; ///< as the model wrote it
    std::size_t group = 0; ///< which of the reply's diffs it stands in
    bool isBlock = false; ///< a SEARCH/REPLACE block: no @@ can be missing inside it
    bool mayBeProse = false; ///< stands before the first header: prose, unless the program has one of its lines

    std::size_t count(Sign sign) const
    {
        std::size_t found = 0;
        for (const HunkLine& line : lines)
            found += line.sign == sign;
        return found;
    }
    std::size_t oldLines() const { return lines.size() - count(Sign::Added); }
    std::size_t newLines() const { return lines.size() - count(Sign::Removed); }
    bool changes() const { return count(Sign::Context) < lines.size(); }
};

/// What a parser makes of a payload.
struct ParsedPatch {
    std::vector<Hunk> hunks;
    std::vector<std::string> files; ///< different names, as written
    std::vector<std::string> made; ///< files that the diff says it makes from nothing
    bool otherFile = false; ///< a file is renamed or deleted, or made by its own kind of header
    std::vector<Repair> repairs;
};

/// Does the group of changes around this line only add?
bool insertsAt(const Hunk& hunk, std::size_t line);

/// Does it read the same before and after, trailing blanks aside?
bool isIdle(const Hunk& hunk);

std::unexpected<Refusal> refuse(std::string code, std::string text, std::size_t hunk = 0);

bool isBlank(std::string_view line);
/// The leading blanks and tabs.
std::string_view indentOf(std::string_view line);

} // namespace tilewright::patch
