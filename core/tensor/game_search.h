// SPDX-License-Identifier: GPL-3.0-or-later
// What is left in a TensorGame as a sum of few moves: a random walk of flips (Kauers, Moosbauer, "Flip graphs for
// matrix multiplication", 2022) over the game's ring, from the residual alone. Pure; the same seed gives the same
// moves.
#pragma once

#include "core/tensor/game.h"

namespace tilewright::tensor {

struct GameSearch {
    std::uint64_t seed = 1;
    std::uint64_t flips = 0; ///< at most; 0: so many that the format takes at most some tenths of a second
    /// Over Z no coefficient grows beyond this; in some walks by up to 2 where entries of the residual do.
    int largest = 1;
};

/// Moves whose sum is what is left: never more than upperBound() where no entry of the residual exceeds
/// largestMoveNumber, and often fewer. Stops at lowerBound(). Empty where the game is solved, or where the residual
/// needs too many moves to begin with.
std::vector<GameMove> movesToEnd(const TensorGame& game, const GameSearch& search = {});

} // namespace tilewright::tensor
