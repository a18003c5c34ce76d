// SPDX-License-Identifier: GPL-3.0-or-later
// What every form of a diff shows alike: changed words within a changed line, the words on a fold. Pure.
#pragma once

#include "ui/widgets/code_view.h"

namespace tilewright::ui {

inline constexpr std::size_t contextLines = 3; ///< unchanged ones shown around a change

/// Marks the words that are not part of the longest common subsequence of both lines; none where the lines share next
/// to nothing.
void markChangedWords(CodeLine& removed, CodeLine& added);

/// "38 unchanged lines"
QString unchangedLines(int count);

} // namespace tilewright::ui
