// SPDX-License-Identifier: GPL-3.0-or-later
// One path of the search: a walk from a start scheme through flips, reductions and plus transitions until it reaches
// its goal or gives up. It goes in parts, and between them it is plain data that can be written to a file.
#pragma once

#include "core/tensor/flip_walker.h"

namespace tilewright::tensor {

/// How paths walk. The defaults are those that reached 4×4 with 47 products from 3×4×4 with 38.
struct FlipRules {
    std::uint64_t plusAfter = 50'000; ///< flips without a reduction before plus transitions
    int plusRoom = 2; ///< how far plus transitions rise above the lowest rank of the path
    std::uint64_t longestPath = 10'000'000; ///< flips without a new lowest rank before the path ends
    std::uint64_t pastGoal = 200'000; ///< the same once the goal is reached: the next reduction is often near
    int mostKicks = 50; ///< plus transitions out of schemes without flips, since the lowest rank
    int poolSize = 60; ///< schemes kept of each rank

    bool operator==(const FlipRules&) const = default;
};

enum class PathEnd {
    Limit, ///< too many flips without a new lowest rank
    Reduced, ///< the goal is reached
    NoFlips, ///< plus transitions lead back to schemes without flips
};

class FlipPath
{
public:
    /// What a path is between two parts.
    struct State {
        Mod2Scheme scheme;
        int goal = 0; ///< a rank: at or below it the path has done what it was started for
        int lowest = 0; ///< rank reached
        std::uint64_t sinceLowest = 0, sincePlus = 0; ///< flips
        int kicks = 0;

        bool operator==(const State&) const = default;
    };
    struct Part {
        std::uint64_t flips = 0, plusTransitions = 0;
        std::optional<PathEnd> end; ///< none where the path goes on
        std::vector<Mod2Scheme> lowered; ///< the first scheme of each new lowest rank
    };

    FlipPath(Mod2Scheme start, int goal);
    explicit FlipPath(State state)
        : m_state(std::move(state))
    {
    }

    const State& state() const { return m_state; }
    /// Goes on by at most `flips` flips. Ends at once at a rank of at most `target`.
    Part advance(std::uint64_t flips, int target, const FlipRules& rules, CounterRandom& random);

private:
    void rise(FlipWalker& walker, Part& part, const FlipRules& rules, CounterRandom& random);
    void noteRank(const FlipWalker& walker, Part& part);
    std::uint64_t patience(const FlipRules& rules) const;

    State m_state;
};

} // namespace tilewright::tensor
