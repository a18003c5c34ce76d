// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program, or the body of its one EVOLVE-BLOCK, as edits of the original. Lines that differ in trailing blanks
// alone keep the source's bytes. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/payload.h"
#include "core/patch/plain_code.h"
#include "core/patch/reply_text.h"
#include "core/patch/source_text.h"

namespace tilewright::patch {

struct WholeEdits {
    std::vector<Edit> edits;
    std::vector<Repair> repairs;
};

/// Errors: MALFORMED (a body for a program with several blocks or none), ELIDED_CODE, and what the guards refuse.
std::expected<WholeEdits, Refusal> editsOfProgram(const SourceText& source, const Payload& payload, Prompt prompt);

// Which fence of a reply is the block's body that a rewrite asks for. Pure.

struct BodyFence {
    const Fence* fence = nullptr; ///< one of those that were given
    std::string trouble; ///< where it is null: why, for a user; "" if there are no fences
};

/// The fence that names the program's language, else one that names none and reads as a program does; not an empty one,
/// a command, what a program printed or a table. Several that differ are none: nobody says which one is meant.
BodyFence bodyFenceOf(const std::vector<Fence>& fences, const ProgramKind& kind);

/// Does a text that names no language read as a program: do nearly all of its lines, are its brackets closed, and has
/// it a function where the program has any?
bool readsAsProgram(std::string_view text, const ProgramKind& kind);

} // namespace tilewright::patch
