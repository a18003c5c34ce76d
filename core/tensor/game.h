// SPDX-License-Identifier: GPL-3.0-or-later
// TensorGame (AlphaTensor, Fawzi et al. 2022): a player subtracts rank-one tensors from the tensor of a matrix product
// until nothing is left. Moves that end at zero are a scheme; each costs 1. Over Z2 or over Z. Pure.
#pragma once

#include "core/tensor/scheme.h"

#include <cstdint>

namespace tilewright::tensor {

/// The tensor u ⊗ v ⊗ w that is subtracted: coefficients of the entries of A, B and C.
struct GameMove {
    std::vector<int> u, v, w;

    bool operator==(const GameMove&) const = default;
};

inline constexpr int largestMoveNumber = 9;

/// "(a11+a22)*(b11+b22)*(c11+c22)", or the three sums with ';' between them; c as it is, not transposed.
/// Errors: tensor/move.
Result<GameMove> moveIn(std::string_view text, const Format& format);
std::string textOf(const GameMove& move, const Format& format);

struct GameHint {
    GameMove move;
    int nonzeros = 0; ///< that would be left
    /// Moves that suffice from here, this one included; 0: not known, and the move is that of a scan.
    int remaining = 0;
    std::vector<GameMove> plan; ///< these moves: their sum is what is left
    /// Of a scan: all factors with entries -1, 0 and 1 were compared (of two factors; the third follows).
    bool isComplete = true;
    int mostTerms = 0; ///< else: only those with up to so many terms
};

class TensorGame
{
public:
    /// `ring` is Z2 or Z; the format is one that checkFormat() accepts.
    TensorGame(const Format& format, Ring ring);

    const Format& format() const { return m_format; }
    Ring ring() const { return m_ring; }

    /// What is left at these entries of A, B and C. Over Z2 0 or 1.
    std::int64_t residual(int a, int b, int c) const { return m_residual[place(a, b, c)]; }
    int nonzeros() const;
    bool isSolved() const { return nonzeros() == 0; }

    const std::vector<GameMove>& moves() const { return m_moves; }
    /// -1 for each move, as AlphaTensor's reward; its penalty for an unsolved end is upperBound().
    int score() const { return -static_cast<int>(m_moves.size()); }

    /// Errors: tensor/move where sizes do not fit, a factor is zero, a number is too large, or the game is solved.
    Result<void> play(const GameMove& move);
    bool undo(); ///< whether there was a move
    bool redo(); ///< whether there was one to play again; play() forgets them
    bool canRedo() const { return !m_undone.empty(); }

    /// At least so many moves are needed from here: the largest rank of the three flattenings of the residual. Over Z
    /// their ranks modulo a prime, which are never larger than those over Q.
    int lowerBound() const;
    /// So many suffice: one for each fibre that is not zero, along the dimension with the fewest; over Z2 the ranks of
    /// the slices, which may be fewer.
    int upperBound() const;

    /// Of the few moves whose sum is the residual (the plan that is followed, else by a search of the residual alone),
    /// the one after which the fewest entries are not zero; then the smallest sum of magnitudes, then the fewest terms.
    /// Where no such moves are known, or more than upperBound(): the same of all small moves. None where the game is
    /// solved.
    std::optional<GameHint> hint() const;
    /// Follows a hint's plan: hints are its moves, until it ends or another move is played or taken back. False where
    /// its sum is not what is left.
    bool follow(std::vector<GameMove> plan);
    bool isSumOf(const std::vector<GameMove>& moves) const; ///< what is left

    /// The moves as a scheme; right if the game is solved.
    Scheme scheme() const;

private:
    std::size_t place(int a, int b, int c) const;
    void subtract(const GameMove& move, int sign);
    /// How the residual is indexed by one operand, with the other two joined.
    std::vector<std::vector<std::int64_t>> flattening(Operand rows) const;
    GameHint hintOf(std::vector<GameMove> plan) const;
    std::optional<GameHint> scannedHint() const;

    Format m_format;
    Ring m_ring;
    std::vector<std::int64_t> m_residual;
    std::vector<GameMove> m_moves, m_undone;
    std::vector<GameMove> m_plan; ///< that is followed: its sum is the residual
};

} // namespace tilewright::tensor
