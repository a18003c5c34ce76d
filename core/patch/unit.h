// SPDX-License-Identifier: GPL-3.0-or-later
// By how much a program indents, and added lines that do not fit in. Pure.
#pragma once

#include "core/patch/source_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// Blanks that a level of indentation has, as the program's own lines show; those of comments that begin with '*' are
/// not asked.
struct IndentUnit {
    std::size_t blanks = 0; ///< that nearly all lines are multiples of; 0 where none is clear
    bool always = false; ///< all lines are
    std::size_t lines = 0; ///< how many show it
    bool usesTabs = false; ///< some line is indented with tabs
    bool usesBlanks = false; ///< some line is indented with blanks
};

IndentUnit indentUnitOf(const std::vector<std::string_view>& program);

/// Do all added lines that say something stand one blank behind a level, in a program that never does so?
bool isOffColumn(const std::vector<Edit>& edits, const IndentUnit& unit);

/// Does a line stand between two levels, in a program that never does so?
bool leavesUnit(const std::vector<std::string>& lines, const IndentUnit& unit);

/// Added lines as the program indents: its blanks for their tabs, its tabs for their blanks. Nothing where its own
/// lines do not tell how; as they are where they need no change.
std::optional<std::vector<std::string>> inUnit(const std::vector<std::string>& added, const IndentUnit& unit);

/// A whole program as the source indents, where one of the two has tabs only for the other's blanks: at the width that
/// makes most lines alike; as it is where none does.
std::vector<std::string> programInUnit(
    const std::vector<std::string>& program, const std::vector<std::string_view>& source);

} // namespace tilewright::patch
