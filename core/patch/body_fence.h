// SPDX-License-Identifier: GPL-3.0-or-later
// Which fence of a reply is the block's body that a rewrite asks for. Pure.
#pragma once

#include "core/patch/plain_code.h"
#include "core/patch/reply_text.h"

namespace tilewright::patch {

struct BodyFence {
    const Fence* fence = nullptr; ///< one of those that were given
    std::string trouble; ///< where it is null: why, for a person; "" if there are no fences
};

/// The fence that names the program's language, else one that names none and reads as a program does; not an empty one,
/// a command, what a program printed or a table. Several that differ are none: nobody says which one is meant.
BodyFence bodyFenceOf(const std::vector<Fence>& fences, const ProgramKind& kind);

/// Does a text that names no language read as a program: do nearly all of its lines, are its brackets closed, and has
/// it a function where the program has any?
bool readsAsProgram(std::string_view text, const ProgramKind& kind);

} // namespace tilewright::patch
