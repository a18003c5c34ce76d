// SPDX-License-Identifier: GPL-3.0-or-later
// A random walk in the flip graph over Z2 (Kauers, Moosbauer, "Flip graphs for matrix multiplication", 2022; plus
// transitions: Arai, Ichikawa, Hukushima, "Adaptive flip graph algorithm", 2024). The scheme stays exact at every step.
//
// A flip takes two products with an equal factor: a⊗b⊗c + a⊗b'⊗c' = a⊗(b+b')⊗c + a⊗b'⊗(c'+c). For each factor a hash
// table knows the products by value, and all pairs of products with an equal factor are in one list with the place of
// each pair, so a flip costs the same at every rank. One object is used by one thread.
#pragma once

#include "core/base/random.h"
#include "core/tensor/mod2_scheme.h"

#include <memory>
#include <optional>

namespace tilewright::tensor {

/// The largest rank a walker holds: schoolbook of the largest formats (8×8×8: 512) and room for plus transitions.
inline constexpr int largestWalkedRank = 640;

enum class WalkEnd {
    Limit, ///< all flips were made
    Reduced, ///< the rank fell
    NoFlips, ///< no two products have an equal factor
};

/// One flip: the factor `changed` of product `first` gets that of `second` added, and the third factor of `second` gets
/// that of `first`. The same flip again undoes it.
struct Flip {
    int shared = 0, changed = 0, third = 0; ///< factors: 0, 1, 2 in some order
    int first = 0, second = 0; ///< products
};

class FlipWalker
{
public:
    /// The scheme must fit its masks and have at most largestWalkedRank products. Products that can be merged are
    /// merged, products with a zero factor left out.
    explicit FlipWalker(const Mod2Scheme& scheme);
    ~FlipWalker();
    FlipWalker(FlipWalker&&) noexcept;
    FlipWalker& operator=(FlipWalker&&) noexcept;

    int rank() const;
    /// Pairs of products with an equal factor; each has two flips.
    int pairs() const;
    /// Flips made since the walker was made.
    std::uint64_t flips() const { return m_flips; }
    Mod2Scheme scheme() const;

    /// Makes at most `limit` random flips and stops where the rank falls.
    WalkEnd walk(std::uint64_t limit, CounterRandom& random);
    /// Splits two random products into three: the rank rises by 1, or stays or falls where the result can be reduced.
    /// False, and nothing done, below rank 2 or at largestWalkedRank.
    bool plus(CounterRandom& random);

    /// A random flip, not made; none where there are no flips.
    std::optional<Flip> proposed(CounterRandom& random) const;
    /// By how much the flip changes the number of nonzero coefficients.
    int nonzerosAdded(const Flip& flip) const;
    /// Makes a proposed flip; true where the rank fell.
    bool make(const Flip& flip);

private:
    class State;
    template <int Words> class Tables;

    std::unique_ptr<State> m_state;
    std::uint64_t m_flips = 0;
    Format m_format;
};

} // namespace tilewright::tensor
