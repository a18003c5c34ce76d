// SPDX-License-Identifier: GPL-3.0-or-later
// Long lines of a diff in pieces, so that all of them can be read in a narrow column and both columns stay of equal
// height. Pure; safe on any thread.
#pragma once

#include "ui/diff/diff_lines.h"
#include "ui/diff/side_by_side.h"

namespace tilewright::ui {

/// `columns`: characters that a row has room for; at least 8 are taken.
SideBySide wrapped(const SideBySide& lines, int columns);
UnifiedDiff wrapped(const UnifiedDiff& diff, int columns);

} // namespace tilewright::ui
