// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/islands/island_steering.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/event_names.h"

namespace tilewright {

std::string nameOf(Standing standing) { return nameIn(standingNames, standing); }
std::string nameOf(MigrationPlan::Ways ways) { return nameIn(waysNames, ways); }

const SteeredCount* steeredCount(std::string_view word)
{
    for (const SteeredCount& count : steeredCounts)
        if (count.word == word)
            return &count;
    return nullptr;
}

std::string wordsOf(double number) { return generalText(number, 7); }

std::string wordsOfMix(const FocusMix& mix)
{
    std::vector<std::string> parts;
    for (const auto& [weight, name] : mixNames)
        if (mix.*weight > 0)
            parts.push_back(std::string(name) + " " + wordsOf(mix.*weight));
    return joined(parts, ", ");
}

bool isNameInMix(std::string_view name)
{
    return name == "mutator" || name == "tuner" || name == "manual"
        || (name.starts_with(modelInMix) && name.size() > modelInMix.size());
}

std::string wordsOf(const ProposerMix& mix)
{
    std::vector<std::string> parts;
    for (const auto& [name, weight] : mix)
        if (weight > 0)
            parts.push_back(
                (name.starts_with(modelInMix) ? name.substr(modelInMix.size()) : name) + " " + wordsOf(weight));
    return parts.empty() ? "as set for the session" : joined(parts, ", ");
}

std::string wordsOfAim(const IslandSteering& steering)
{
    if (steering.focus)
        return nameOf(*steering.focus);
    return steering.mix ? wordsOfMix(*steering.mix) : "chosen by the strategy";
}

std::string wordsOf(const MigrationPlan& plan)
{
    if (plan.ways == MigrationPlan::Ways::Off)
        return "off";
    std::vector<std::string> edges;
    for (const auto& [from, to] : plan.edges)
        edges.push_back(islandLetter(from) + "→" + islandLetter(to));
    return (plan.ways == MigrationPlan::Ways::Ring ? "ring" : joined(edges, ", ")) + ", every "
        + counted(plan.interval, "new member", "new members");
}

} // namespace tilewright
