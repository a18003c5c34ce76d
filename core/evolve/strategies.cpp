// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies that an island can name.
#include "core/evolve/best_of_n.h"
#include "core/evolve/evolve.h"
#include "core/evolve/iterate.h"
#include "core/evolve/random_search.h"

#include <array>

namespace tilewright {
namespace {

const auto& strategies()
{
    static const Evolve evolve;
    static const Iterate iterate;
    static const BestOfN bestOfN;
    static const RandomSearch random;
    static const auto all = std::to_array<const Strategy*>({&evolve, &iterate, &bestOfN, &random});
    return all;
}

} // namespace

const Strategy* strategyNamed(std::string_view name)
{
    for (const Strategy* strategy : strategies())
        if (strategy->name() == name)
            return strategy;
    return nullptr;
}

std::vector<std::string> strategyNames()
{
    std::vector<std::string> names;
    for (const Strategy* strategy : strategies())
        names.push_back(strategy->name());
    return names;
}

} // namespace tilewright
