// SPDX-License-Identifier: GPL-3.0-or-later
// Line numbers that a hunk has copied from a listing of the program. Pure.
#pragma once

#include "core/patch/hunk.h"

#include <optional>

namespace tilewright::patch {

/// The hunk without the line numbers behind its signs, which stand on every old line (added lines: on all or on none).
std::optional<Hunk> withoutLineNumbers(const Hunk& hunk);

/// Line numbers before the signs ("12 | -code"): the lines read again behind them; nothing if they are not on all.
std::optional<Hunk> readBehindNumbers(const Hunk& hunk);

} // namespace tilewright::patch
