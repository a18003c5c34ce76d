// SPDX-License-Identifier: GPL-3.0-or-later
// Figures with their intervals, tables and fences as a prompt shows them. Plain numbers: core/base/format.h. Pure.
#pragma once

#include "core/base/format.h"
#include "core/model/evaluation.h"
#include "core/model/parent_change.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// "1.042× [1.021, 1.063]".
std::string ratioText(const Interval& ratio);
/// A gain: "+4.2 % [+2.1 %, +6.3 %]" between half and double, else as ratioText().
std::string gainText(const Interval& ratio);
/// The same, behind "≈ " where the two were not measured side by side.
std::string gainText(const ParentChange& change);

/// Columns padded to one width with two blanks between; the first row is the heading. Widths count UTF-8 characters.
std::string tableText(const std::vector<std::vector<std::string>>& rows);

/// "```cpp" … "```" around a text, with a fence longer than any in it.
std::string fenced(const std::string& text, const std::string& language);
/// First sentence of a text, without line ends; where there is no end before `longest` bytes, cut behind a whole word
/// (never behind or within figures) with "…".
std::string firstSentence(const std::string& text, std::size_t longest = 200);

} // namespace tilewright
