// SPDX-License-Identifier: GPL-3.0-or-later
// A context line that should have been removed: its - was forgotten. Applied, the hunk would leave the old line beside
// the new one. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/plain_code.h"

namespace tilewright::patch {

/// Does a new line take the place of the context line beside it, though that one stays? Not where the header's counts
/// come out even with it, and never for blocks, where both halves are written out. Where neither the two lines nor the
/// counts tell, an insertion looks the same, and is one.
bool lacksMinus(const Hunk& hunk, Comments comments);

} // namespace tilewright::patch
