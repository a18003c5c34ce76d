// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms for a kernel of which nothing is known but its text: unrolled loops, several accumulators, no aliasing,
// independent iterations, other values of its constants. Each is a move for the built-in mutator like those that a
// shipped task brings, marked as generic. None is known to be correct for the kernel: every program that a move makes
// is built and checked as any other candidate. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Moves for the text inside the evolve blocks of a seed, at most 40; what Tilewright itself wrote around the kernel is
/// left alone but for the block size of its launch. Each applies to the seed.
std::vector<Move> genericMoves(std::string_view seed, const std::string& sourceName, Target target);

/// The move as the file moves/NAME.patch of a pack.
std::string moveFileOf(const Move& move);

} // namespace tilewright
