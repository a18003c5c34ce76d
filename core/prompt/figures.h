// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as a prompt shows them: units that fit, never more digits than the measurement carries. Pure.
#pragma once

#include "core/model/evaluation.h"
#include "core/model/parent_change.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// Four significant digits in ns, µs, ms or s; "–" for nothing measured (zero or less).
std::string durationText(double ns);
/// "48 KiB", "1 MiB", "23.5 GiB"; plain bytes below 1 KiB.
std::string bytesText(double bytes);
/// Three significant digits, without exponent and without trailing zeros after the point.
std::string numberText(double value);
/// A share as a percentage with one digit behind the point, "less than 0.1 %" where there would be nothing.
std::string shareText(double share);
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
