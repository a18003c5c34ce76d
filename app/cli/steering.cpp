// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/steering.h"

#include "core/model/steering_words.h"

#include <algorithm>

namespace tilewright::cli {

Result<std::map<IslandId, IslandSteering>> steeringOf(const Options& options)
{
    std::map<IslandId, IslandSteering> steering;
    for (const std::string& words : options.texts("--steer")) {
        const std::size_t colon = words.find(':'), equals = words.find('=', std::min(colon, words.size()));
        const IslandId island = islandFromLetter(words.substr(0, colon));
        if (colon == std::string::npos || equals == std::string::npos || !island)
            return fail("usage", "--steer does not take '" + words + "'", "write ISLAND:WHAT=WORD: B:focus=tune");
        auto steered
            = steeredBy(steering[island], words.substr(colon + 1, equals - colon - 1), words.substr(equals + 1));
        if (!steered)
            return std::unexpected(steered.error());
        steering[island] = *steered;
    }
    return steering;
}

Result<std::vector<std::string>> strategiesOf(const Options& options, int islands)
{
    if (!options.has("--strategy"))
        return std::vector<std::string>();
    std::vector<std::string> strategies(static_cast<std::size_t>(islands), "evolve");
    for (const std::string& words : options.texts("--strategy")) {
        const std::size_t equals = words.find('=');
        if (equals == std::string::npos) {
            std::ranges::fill(strategies, words);
            continue;
        }
        const IslandId island = islandFromLetter(words.substr(0, equals));
        if (!island || island.value > islands)
            return fail("usage", "--strategy " + words + ": this run has no such island",
                "write NAME or ISLAND=NAME; the last island is " + islandLetter({islands}));
        strategies[static_cast<std::size_t>(island.value - 1)] = words.substr(equals + 1);
    }
    return strategies;
}

Result<MigrationPlan> migrationOf(const Options& options)
{
    MigrationPlan plan;
    plan.interval = options.count("--migration-interval", plan.interval);
    return options.has("--migration") ? plannedBy(std::move(plan), options.text("--migration")) : plan;
}

Result<IslandPolicies> reviewOf(const Options& options, int islands)
{
    IslandPolicies policies;
    for (const std::string& words : options.texts("--review")) {
        const auto changes = policyChangesIn(words);
        if (!changes)
            return fail("usage", "--review: " + changes.error().text, changes.error().hint);
        for (const events::ReviewPolicyChanged& change : *changes) {
            if (change.island.value > islands)
                return fail("usage", "--review " + words + ": this run has no island " + islandLetter(change.island),
                    "its last is " + islandLetter({islands}));
            setPolicy(policies, change.scope(), change.policy);
        }
    }
    return policies;
}

} // namespace tilewright::cli
