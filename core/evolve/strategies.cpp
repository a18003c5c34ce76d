// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies that an island can name.
#include "core/evolve/evolve.h"
#include "core/evolve/random_search.h"

#include <array>

namespace tilewright {
namespace {

const std::array<const Strategy*, 2>& strategies()
{
    static const Evolve evolve;
    static const RandomSearch random;
    static const std::array<const Strategy*, 2> all{&evolve, &random};
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
