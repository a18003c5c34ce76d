// SPDX-License-Identifier: GPL-3.0-or-later
// Can a line stand right behind another one, or is it a new version of it? Told by what the two declare, set or open.
// Pure.
#pragma once

#include "core/patch/plain_code.h"

#include <string_view>

namespace tilewright::patch {

/// Are both declarations of one name, stores into one place that the second does not read, heads of one block, the same
/// call with further arguments, …, so that no program has the first right before the second? Lines that are equal, or
/// are indented differently, never are.
bool takesPlace(std::string_view old, std::string_view fresh, Comments comments);

/// The same where other lines stand between the two: declarations and stores alone.
bool takesPlaceLater(std::string_view old, std::string_view fresh, Comments comments);

/// Does control never reach a line that stands right behind this one ("return x;")?
bool leavesBlock(std::string_view line, Comments comments);

/// Brackets that the line opens, less those that it closes; strings and comments left aside.
int openBrackets(std::string_view line, Comments comments);

/// Does the line's code mention the place that the other one sets or declares?
bool mentionsTarget(std::string_view line, std::string_view setting, Comments comments);

} // namespace tilewright::patch
