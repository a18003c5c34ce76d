// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/boosts.h"

#include <algorithm>

namespace tilewright {
namespace {

/// For every candidate of the run whether it is `root` or descends from it. Parents come before their children.
std::vector<bool> descendantsOf(const RunState& state, CandidateId root)
{
    std::vector<bool> belongs(state.candidates.size() + 1, false);
    belongs[static_cast<std::size_t>(root.value)] = true;
    for (std::size_t i = static_cast<std::size_t>(root.value); i < state.candidates.size(); ++i)
        belongs[i + 1] = std::ranges::any_of(state.candidates[i].parents,
            [&](CandidateId parent) { return belongs[static_cast<std::size_t>(parent.value)]; });
    return belongs;
}

} // namespace

std::vector<double> lineageBoosts(const RunState& state, const std::vector<const Candidate*>& candidates)
{
    std::vector<double> boosts(candidates.size(), 1.0);
    for (const auto& [root, values] : state.marks) {
        const double boost = state.marksOf(root).boost;
        if (boost == 1)
            continue;
        const std::vector<bool> belongs = descendantsOf(state, root);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (belongs[static_cast<std::size_t>(candidates[i]->id.value)])
                boosts[i] *= boost;
    }
    const bool areEqual = std::ranges::all_of(boosts, [&](double boost) { return boost == boosts.front(); });
    return areEqual ? std::vector<double>{} : boosts;
}

std::size_t drawBoosted(const std::vector<double>& chances, const std::vector<double>& boosts, CounterRandom& random)
{
    double whole = 0;
    for (std::size_t i = 0; i < chances.size(); ++i)
        whole += chances[i] * boosts[i];
    double left = random.uniform() * whole;
    std::size_t last = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
        const double share = chances[i] * boosts[i];
        if (share <= 0)
            continue;
        last = i;
        if (left < share)
            return i;
        left -= share;
    }
    return last;
}

} // namespace tilewright
