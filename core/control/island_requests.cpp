// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/island_requests.h"

#include "core/base/text.h"
#include "core/control/command_form.h"
#include "core/model/event_members.h"
#include "core/model/event_names.h"
#include "core/model/requests/steering_words.h"
#include "core/model/reviews/review_queue.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

std::unexpected<Error> unclear(const std::string& text) { return std::unexpected(usageError(text)); }

Words wordsAt(const Json& request)
{
    Words words;
    for (const Json& word : request.value("words", Json::array()))
        words.push_back(word.get<std::string>());
    return words;
}

Result<IslandId> islandIn(const RunState& run, const std::string& letter)
{
    const IslandId island = islandFromLetter(letter);
    return island && island.value <= run.islandCount() ? Result<IslandId>(island)
                                                       : fail("island/unknown", "the run has no island " + letter);
}

Result<IslandCommand> steered(const RunState& run, IslandId island, const std::string& what, const std::string& word)
{
    const auto steering = steeredBy(run.island(island) ? run.island(island)->steering : IslandSteering{}, what, word);
    return steering ? Result<IslandCommand>(commands::SteerIsland{island, *steering})
                    : std::unexpected(steering.error());
}

Result<IslandCommand> added(const Words& words)
{
    commands::AddIsland order;
    if (words.size() > 3)
        return unclear("island add takes a focus and a name");
    if (words.size() > 1) {
        const auto focus = valueIn(aimNames, words[1]);
        if (!focus)
            return fail(
                "island/value", "an island has no focus '" + words[1] + "'", "use explore, exploit, crossover or tune");
        order.focus = *focus;
    }
    if (words.size() > 2)
        order.name = printable(words[2]);
    return order;
}

Result<IslandCommand> reset(const RunState& run, const Words& words)
{
    commands::ResetIsland order;
    if (words.size() < 2 || words.size() > 3)
        return unclear("island reset takes an island, or weakest, and best to start from the best of the others");
    if (words[1] != "weakest") {
        const auto island = islandIn(run, words[1]);
        if (!island)
            return std::unexpected(island.error());
        order.island = *island;
    }
    if (words.size() == 3 && words[2] != "best" && words[2] != "seed")
        return fail("island/value", "an island cannot start from '" + words[2] + "'", "use seed or best");
    if (words.size() == 3 && words[2] == "best")
        order.beginning = commands::Beginning::Best;
    return order;
}

} // namespace

Result<IslandCommand> islandCommandOf(const RunState& run, const Json& request)
{
    const Words words = wordsAt(request);
    const std::string what = words.empty() ? "" : words.front();
    if (what == "undo")
        return words.size() == 1 ? Result<IslandCommand>(commands::UndoIslandCommand{})
                                 : unclear("island undo takes no further word");
    if (what == "add")
        return added(words);
    if (what == "reset")
        return reset(run, words);
    const bool alone = what == "pause" || what == "resume" || what == "clone";
    const bool withWord = what == "focus" || what == "mix" || what == "selection" || what == "temperature"
        || steeredCount(what) || what == "merge";
    if (!alone && !withWord)
        return unclear(what.empty() ? "no island command given" : "unknown island command '" + what + "'");
    if (words.size() != (alone ? 2 : 3))
        return unclear("island " + what + (alone ? " takes one island" : " takes an island and one more word"));
    const auto island = islandIn(run, words[1]);
    if (!island)
        return std::unexpected(island.error());
    if (what == "pause")
        return commands::PauseIsland{*island};
    if (what == "resume")
        return commands::ResumeIsland{*island};
    if (what == "clone")
        return commands::CloneIsland{*island};
    if (what != "merge")
        return steered(run, *island, what, words[2]);
    const auto into = islandIn(run, words[2]);
    return into ? Result<IslandCommand>(commands::MergeIsland{*island, *into}) : std::unexpected(into.error());
}

Result<IslandCommand> migrationCommandOf(const RunState& run, const Json& request)
{
    const Words words = wordsAt(request);
    MigrationPlan plan = run.settings.migration;
    if (words.size() > 1 || (words.empty() && !request.contains("interval")))
        return unclear("migration takes ring, off or routes such as 'A>B,B>C', and --interval N");
    plan.interval = request.value("interval", plan.interval);
    if (words.empty())
        return commands::PlanMigration{plan};
    const auto planned = plannedBy(plan, words.front());
    return planned ? Result<IslandCommand>(commands::PlanMigration{*planned}) : std::unexpected(planned.error());
}

Json islandsAnswer(const RunState& run)
{
    Json islands = Json::array();
    for (const Island& island : run.islands) {
        const Candidate* best = run.candidate(island.best);
        Json json{{"id", islandLetter(island.id)}, {"name", island.name}, {"standing", nameOf(island.standing)},
            {"focus", nameOf(island.focus)}, {"aim", wordsOfAim(island.steering)},
            {"steering", jsonOf(island.steering)}, {"proposals", island.proposals}, {"members", island.members.size()},
            {"best", best ? Json(candidateName(best->id)) : Json(nullptr)},
            {"score", best && best->score ? Json(best->score->value) : Json(nullptr)}};
        if (island.mergedInto)
            json["merged_into"] = islandLetter(island.mergedInto);
        json["review_policy"] = describe(run.settings.reviewPoliciesOf(island.id));
        if (const std::string waits = wordsOfWaiting(run, island.id); !waits.empty())
            json["waits"] = waits;
        islands.push_back(std::move(json));
    }
    const MigrationPlan& plan = run.settings.migration;
    Json edges = Json::array();
    for (const auto& [from, to] : plan.edges)
        edges.push_back({islandLetter(from), islandLetter(to)});
    return {{"ok", true}, {"islands", std::move(islands)},
        {"migration",
            {{"ways", nameOf(plan.ways)}, {"edges", std::move(edges)}, {"interval", plan.interval},
                {"words", wordsOf(plan)}}}};
}

} // namespace tilewright
