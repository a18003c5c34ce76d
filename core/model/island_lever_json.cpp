// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON form of what levers on islands change. What is at its default is not written.
#include "core/model/candidate_names.h"
#include "core/model/event.h"
#include "core/model/event_fields.h"
#include "core/model/island_steering_names.h"

namespace tilewright {

nlohmann::json toJson(const IslandSteering& steering)
{
    nlohmann::json json = nlohmann::json::object();
    if (steering.focus)
        json["focus"] = nameIn(aimNames, *steering.focus);
    if (steering.mix)
        for (const auto& [weight, name] : mixNames)
            json["mix"][std::string(name)] = (*steering.mix).*weight;
    if (steering.selection != 1)
        json["selection"] = steering.selection;
    if (steering.sampling)
        json["temperature"] = *steering.sampling;
    if (!steering.proposers.empty())
        json["proposers"] = steering.proposers;
    return json;
}

IslandSteering steeringFrom(const nlohmann::json& json)
{
    IslandSteering steering;
    if (json.contains("focus"))
        steering.focus = enumAt(json, "focus", aimNames);
    if (json.contains("mix")) {
        steering.mix.emplace();
        for (const auto& [weight, name] : mixNames)
            (*steering.mix).*weight = json.at("mix").value(std::string(name), 0.0);
    }
    steering.selection = json.value("selection", 1.0);
    if (json.contains("temperature"))
        steering.sampling = json.at("temperature").get<double>();
    steering.proposers = json.value("proposers", ProposerMix());
    return steering;
}

nlohmann::json toJson(const MigrationPlan& plan)
{
    nlohmann::json json{{"ways", nameOf(plan.ways)}, {"interval", plan.interval}};
    for (const auto& [from, to] : plan.edges)
        json["edges"].push_back({from.value, to.value});
    return json;
}

MigrationPlan migrationFrom(const nlohmann::json& json)
{
    MigrationPlan plan;
    plan.ways = enumAt(json, "ways", waysNames);
    plan.interval = json.value("interval", plan.interval);
    for (const nlohmann::json& edge : json.value("edges", nlohmann::json::array()))
        plan.edges.emplace(IslandId{edge.at(0).get<std::int64_t>()}, IslandId{edge.at(1).get<std::int64_t>()});
    return plan;
}

nlohmann::json toJson(const events::IslandStandingChanged& event)
{
    nlohmann::json json{{"island", event.island.value}, {"standing", nameOf(event.standing)}};
    if (event.into) {
        json["into"] = event.into.value;
        json["newcomers"] = idsJson(event.newcomers);
        json["displaced"] = idsJson(event.displaced);
    }
    return json;
}

events::IslandStandingChanged standingFrom(const nlohmann::json& json)
{
    return {idAt<IslandId>(json, "island"), enumAt(json, "standing", standingNames), idAt<IslandId>(json, "into"),
        idsAt(json, "newcomers"), idsAt(json, "displaced")};
}

nlohmann::json toJson(const events::IslandCreated& event)
{
    nlohmann::json json{
        {"id", event.id.value}, {"name", event.name}, {"strategy", event.strategy}, {"focus", nameOf(event.focus)}};
    if (!(event.steering == IslandSteering{}))
        json["steering"] = toJson(event.steering);
    if (event.clonedFrom)
        json["cloned_from"] = event.clonedFrom.value;
    return json;
}

events::IslandCreated createdFrom(const nlohmann::json& json)
{
    return {idAt<IslandId>(json, "id"), json.at("name"), json.at("strategy"), enumAt(json, "focus", focusNames),
        steeringFrom(json.value("steering", nlohmann::json::object())), idAt<IslandId>(json, "cloned_from")};
}

nlohmann::json toJson(const events::LeverUndone& event)
{
    nlohmann::json json{{"lever", event.lever}};
    if (!event.withdrawn.empty())
        json["withdrawn"] = idsJson(event.withdrawn);
    for (const InquiryId id : event.unwanted)
        json["unwanted"].push_back(id.value);
    return json;
}

events::LeverUndone undoneFrom(const nlohmann::json& json)
{
    events::LeverUndone event{json.at("lever"), idsAt(json, "withdrawn"), {}};
    for (const nlohmann::json& id : json.value("unwanted", nlohmann::json::array()))
        event.unwanted.push_back({id.get<std::int64_t>()});
    return event;
}

} // namespace tilewright
