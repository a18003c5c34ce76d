// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program, or the body of its one EVOLVE-BLOCK, as edits of the original. Lines that differ in trailing blanks
// alone keep the source's bytes. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/payload.h"
#include "core/patch/source_text.h"

namespace tilewright::patch {

struct WholeEdits {
    std::vector<Edit> edits;
    std::vector<Repair> repairs;
};

/// Errors: MALFORMED (a body for a program with several blocks or none), ELIDED_CODE, and what the guards refuse.
std::expected<WholeEdits, Refusal> editsOfProgram(const SourceText& source, const Payload& payload, Prompt prompt);

} // namespace tilewright::patch
