// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/steering.h"

#include "core/base/text.h"
#include "core/engine/ledger.h"
#include "core/model/requests/steering_words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace tilewright::cli {

Result<std::map<IslandId, IslandSteering>> steeringOf(const Options& options, int islands)
{
    std::map<IslandId, IslandSteering> steering;
    for (const std::string& words : options.texts("--steer")) {
        const std::size_t colon = words.find(':'), equals = words.find('=', std::min(colon, words.size()));
        const std::string named = words.substr(0, colon);
        const IslandId island = islandFromLetter(named);
        if (colon == std::string::npos || equals == std::string::npos || (!island && named != "*"))
            return fail("usage", "--steer does not take '" + words + "'",
                "write ISLAND:FIELD=VALUE: B:focus=tune; * for every island");
        for (std::int64_t id = island ? island.value : 1; id <= (island ? island.value : islands); ++id) {
            auto steered
                = steeredBy(steering[{id}], words.substr(colon + 1, equals - colon - 1), words.substr(equals + 1));
            if (!steered)
                return std::unexpected(steered.error());
            steering[{id}] = *steered;
        }
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
                    "the last island is " + islandLetter({islands}));
            setPolicy(policies, change.scope(), change.policy);
        }
    }
    return policies;
}

namespace {

struct Addressed {
    IslandId island; ///< 0: all
    std::string text;
};

Result<Addressed> addressed(const std::string& hint, int islands)
{
    const std::size_t equals = hint.find('=');
    if (equals == std::string::npos)
        return Addressed{{}, hint};
    const std::string name = hint.substr(0, equals);
    if (name == "*")
        return Addressed{{}, hint.substr(equals + 1)};
    const IslandId island = islandFromLetter(name);
    if (island && island.value <= islands)
        return Addressed{island, hint.substr(equals + 1)};
    // "KC=256 is too small" is a sentence, and so is "K=256 is".
    const bool isSentence = name.size() != 1 || !island || std::isdigit(static_cast<unsigned char>(hint[equals + 1]));
    if (!isSentence)
        return fail("usage",
            "--hint " + name + "=…: this run has no island " + name + ", the last one is " + islandLetter({islands}),
            "*=TEXT is for all islands");
    return Addressed{{}, hint};
}

} // namespace

Result<std::map<IslandId, std::string>> hintsOf(const Options& options, int islands)
{
    std::map<IslandId, std::string> hints;
    for (const std::string& hint : options.texts("--hint")) {
        const auto one = addressed(hint, islands);
        if (!one)
            return std::unexpected(one.error());
        const std::string text(trimmed(printable(one->text)));
        std::string& all = hints[one->island];
        all += (all.empty() || text.empty() ? "" : "\n") + text;
        if (all.size() > longestHint)
            return fail("usage", "--hint takes at most " + std::to_string(longestHint) + " bytes per island");
    }
    return hints;
}

void tellHints(const std::map<IslandId, std::string>& hints, const std::string& proposer)
{
    if (hints.empty())
        return; // and no file is read to learn what must not be shown
    Secrets secrets(proposer);
    for (const auto& [island, text] : hints) {
        const std::string whose = island ? "island " + islandLetter(island) : "all islands";
        if (text.empty())
            std::fprintf(stderr, "hint removed for %s\n", whose.c_str());
        const std::string shown = secrets.personsWords(text);
        for (const std::string_view line : splitLines(shown))
            std::fprintf(stderr, "hint for %s: %.*s\n", whose.c_str(), static_cast<int>(line.size()), line.data());
    }
}

} // namespace tilewright::cli
