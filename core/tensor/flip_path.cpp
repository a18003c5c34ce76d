// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_path.h"

#include <algorithm>

namespace tilewright::tensor {

FlipPath::FlipPath(Mod2Scheme start, int goal)
{
    m_state.goal = goal;
    m_state.lowest = start.rank();
    m_state.scheme = std::move(start);
}

std::uint64_t FlipPath::patience(const FlipRules& rules) const
{
    return m_state.lowest <= m_state.goal ? rules.pastGoal : rules.longestPath;
}

void FlipPath::noteRank(const FlipWalker& walker, Part& part)
{
    if (walker.rank() >= m_state.lowest)
        return;
    m_state.lowest = walker.rank();
    m_state.sinceLowest = 0;
    m_state.kicks = 0;
    part.lowered.push_back(walker.scheme());
}

void FlipPath::rise(FlipWalker& walker, Part& part, const FlipRules& rules, CounterRandom& random)
{
    // Several at once: a single one is usually undone by its own reversal.
    const int room = std::max(1, m_state.lowest + rules.plusRoom - walker.rank());
    const auto steps = 1 + random.below(static_cast<std::uint64_t>(room));
    for (std::uint64_t step = 0; step < steps && walker.plus(random); ++step)
        ++part.plusTransitions;
    m_state.sincePlus = 0;
    noteRank(walker, part);
}

FlipPath::Part FlipPath::advance(std::uint64_t flips, int target, const FlipRules& rules, CounterRandom& random)
{
    Part part;
    FlipWalker walker(m_state.scheme);
    noteRank(walker, part);
    while (true) {
        if (m_state.lowest <= target)
            part.end = PathEnd::Reduced;
        else if (m_state.sinceLowest >= patience(rules))
            part.end = m_state.lowest <= m_state.goal ? PathEnd::Reduced : PathEnd::Limit;
        if (part.end || part.flips >= flips)
            break;
        const std::uint64_t beforePlus = rules.plusAfter - std::min(m_state.sincePlus, rules.plusAfter);
        const std::uint64_t limit = std::min(
            {flips - part.flips, patience(rules) - m_state.sinceLowest, std::max(beforePlus, std::uint64_t(1))});
        const std::uint64_t before = walker.flips();
        const WalkEnd end = walker.walk(limit, random);
        const std::uint64_t made = walker.flips() - before;
        part.flips += made;
        m_state.sinceLowest += made;
        m_state.sincePlus += made;
        if (end == WalkEnd::Reduced) {
            m_state.sincePlus = 0;
            noteRank(walker, part);
        } else if (end == WalkEnd::NoFlips) {
            if (m_state.kicks >= rules.mostKicks) {
                part.end = m_state.lowest <= m_state.goal ? PathEnd::Reduced : PathEnd::NoFlips;
                break;
            }
            ++m_state.kicks;
            rise(walker, part, rules, random);
        } else if (m_state.sincePlus >= rules.plusAfter && walker.rank() < m_state.lowest + rules.plusRoom)
            rise(walker, part, rules, random);
    }
    m_state.scheme = walker.scheme();
    return part;
}

} // namespace tilewright::tensor
