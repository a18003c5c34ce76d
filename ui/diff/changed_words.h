// SPDX-License-Identifier: GPL-3.0-or-later
// What every form of a diff shows alike: changed words within a changed line, and what is folded. Pure.
#pragma once

#include "ui/widgets/code_view.h"

namespace tilewright::ui {

inline constexpr int contextLines = 3; ///< unchanged ones shown around a change

/// Marks the words that are not part of the longest common subsequence of both lines; none where the lines share next
/// to nothing.
void markChangedWords(CodeLine& removed, CodeLine& added);

/// Of rows: the unchanged ones that are not beside a change. None where nothing is changed.
std::vector<Fold> foldsBetween(const std::vector<bool>& isChanged);

} // namespace tilewright::ui
