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

/// The fence that names the program's language, else the one that names none; not an empty one, a command or a table
/// beside it. Several that differ are none: nobody says which one is meant.
BodyFence bodyFenceOf(const std::vector<Fence>& fences, Comments comments);

} // namespace tilewright::patch
