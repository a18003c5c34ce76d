// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_pools.h"

#include "core/tensor/flip_extension.h"

#include <algorithm>

namespace tilewright::tensor {
namespace {

/// Flips on a level before the pool below need not be full, and before there has to be something in it.
std::uint64_t patienceOf(const FlipRules& rules)
{
    return rules.longestPath * static_cast<std::uint64_t>(rules.poolSize) / 2;
}

void fillTop(FlipPools& pools)
{
    std::erase_if(pools.byRank, [&](const auto& pool) { return pool.first > pools.target; }); // what is found stays
    for (const Mod2Scheme& start : pools.starts)
        pools.byRank[start.rank()].push_back(start);
    pools.level = pools.byRank.rbegin()->first;
    pools.levelFlips = 0;
}

} // namespace

FlipPools poolsOf(std::vector<Mod2Scheme> starts, int target)
{
    FlipPools pools;
    pools.isDescending = starts.front().format.naiveRank() <= schoolbookVolume;
    pools.target = target;
    pools.starts = std::move(starts);
    fillTop(pools);
    return pools;
}

bool FlipPools::hasRoomFor(const Mod2Scheme& scheme, const FlipRules& rules) const
{
    const auto found = byRank.find(scheme.rank());
    if (found == byRank.end())
        return true;
    const std::vector<Mod2Scheme>& pool = found->second;
    const bool hasRoom = static_cast<int>(pool.size()) < rules.poolSize || scheme.rank() <= target;
    return hasRoom && std::ranges::find(pool, scheme) == pool.end();
}

void FlipPools::add(const Mod2Scheme& scheme, const FlipRules& rules)
{
    if (hasRoomFor(scheme, rules))
        byRank[scheme.rank()].push_back(scheme);
}

void FlipPools::settle(std::uint64_t flips, const FlipRules& rules)
{
    levelFlips += flips;
    if (isDescending)
        return;
    bool isLong = levelFlips >= patienceOf(rules);
    for (auto here = byRank.find(level); here != byRank.begin();) {
        const auto& [rank, pool] = *--here;
        const bool isFull = static_cast<int>(pool.size()) >= rules.poolSize || rank < level - 1;
        if (rank <= target || (!isFull && !isLong))
            break;
        level = rank;
        levelFlips = 0;
        isLong = false;
    }
    if (levelFlips >= 2 * patienceOf(rules))
        fillTop(*this);
}

FlipPath FlipPools::nextPath(CounterRandom& random) const
{
    const std::vector<Mod2Scheme>& pool = isDescending ? starts : byRank.at(level);
    const Mod2Scheme& start = pool[random.below(pool.size())];
    return FlipPath(start, isDescending ? target : level - 1);
}

int FlipPools::lowest() const { return byRank.begin()->first; }

std::vector<Mod2Scheme> FlipPools::reached() const
{
    std::vector<Mod2Scheme> schemes;
    for (const auto& [rank, pool] : byRank)
        if (rank <= target)
            schemes.insert(schemes.end(), pool.begin(), pool.end());
    return schemes;
}

std::map<int, int> FlipPools::sizes() const
{
    std::map<int, int> sizes;
    for (const auto& [rank, pool] : byRank)
        sizes[rank] = static_cast<int>(pool.size());
    return sizes;
}

} // namespace tilewright::tensor
