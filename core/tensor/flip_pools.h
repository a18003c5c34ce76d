// SPDX-License-Identifier: GPL-3.0-or-later
// The schemes that a search holds, by rank, and which of them the next paths begin with. Paths of one round only read
// it; what they found is added between rounds. Pure.
#pragma once

#include "core/tensor/flip_path.h"

#include <map>
#include <vector>

namespace tilewright::tensor {

struct FlipPools {
    std::vector<Mod2Scheme> starts; ///< of one format, not none
    std::map<int, std::vector<Mod2Scheme>> byRank;
    int target = 0; ///< rank to reach
    int level = 0; ///< rank that paths begin with now
    std::uint64_t levelFlips = 0; ///< made since the level was chosen
    bool isDescending = false; ///< whether paths go from the starts as far down as they get

    bool operator==(const FlipPools&) const = default;

    bool hasRoomFor(const Mod2Scheme& scheme, const FlipRules& rules) const;
    /// Adds a scheme unless the same one is there, or above the target's rank as many as `rules` allow.
    void add(const Mod2Scheme& scheme, const FlipRules& rules);
    /// After a round of so many flips: the level goes down where the pool below is full, or holds something and much
    /// work was spent here. Where much work led to nothing, the search starts over from the top.
    void settle(std::uint64_t flips, const FlipRules& rules);
    /// A path from a random scheme of the level to the next rank, or as far down as it gets.
    FlipPath nextPath(CounterRandom& random) const;

    /// The lowest rank there is a scheme of.
    int lowest() const;
    /// Schemes of the target's rank or below, lowest first.
    std::vector<Mod2Scheme> reached() const;
    std::map<int, int> sizes() const;
};

/// Pools that hold the starts alone. Formats that begin with schoolbook are small: paths descend.
FlipPools poolsOf(std::vector<Mod2Scheme> starts, int target);

} // namespace tilewright::tensor
