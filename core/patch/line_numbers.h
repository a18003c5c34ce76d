// SPDX-License-Identifier: GPL-3.0-or-later
// Line numbers that a hunk has copied from a listing of the program. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/plain_code.h"

#include <optional>
#include <string>

namespace tilewright::patch {

/// The hunk without the line numbers behind its signs, which stand on every old line (added lines: on all or on none).
std::optional<Hunk> withoutLineNumbers(const Hunk& hunk);

/// Line numbers before the signs ("12 | -code"): the lines read again behind them; nothing if they are not on all.
std::optional<Hunk> readBehindNumbers(const Hunk& hunk);

// A context line that should have been removed: its - was forgotten. Applied, the hunk would leave the old line beside
// the new one. Pure.

/// Whether a header's counts are evidence: not where the hunk's old lines stand in the program to the letter, since
/// models count badly.
enum class Counts { Tell, TellNothing };

/// The context line that a new line beside it replaces, though it stays; none where there is none, where the header's
/// counts come out even with it, and for blocks, where both halves are written out. Where neither the two lines nor the
/// counts tell, an insertion looks the same, and is one.
std::optional<std::string> lineWithoutMinus(const Hunk& hunk, Comments comments, Counts counts);

} // namespace tilewright::patch
