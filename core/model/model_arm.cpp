// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_arm.h"

#include <cmath>

namespace tilewright {

nlohmann::json toJson(const ArmState& arm)
{
    nlohmann::json json{{"asked", arm.asked}, {"reward", arm.reward}, {"usd", arm.usd}, {"priced", arm.priced},
        {"failed_calls", arm.failedCalls}, {"auth_in_row", arm.authInRow}, {"quota_in_row", arm.quotaInRow},
        {"failures_in_row", arm.failuresInRow}, {"failing_since", arm.failingSinceUtc}, {"last_error", arm.lastError},
        {"paused_because", arm.pausedBecause}, {"rests_until", arm.restsUntilUtc}};
    if (arm.restIsAsked)
        json["rest_is_asked"] = true;
    if (arm.hasAnswered)
        json["has_answered"] = true;
    if (!arm.address.empty())
        json["address"] = arm.address;
    if (!arm.refusedParameters.empty())
        json["refused_parameters"] = arm.refusedParameters;
    return json;
}

ArmState armFromJson(const nlohmann::json& json)
{
    const auto number = [&json](const char* key) {
        const auto found = json.find(key);
        const double value = found != json.end() && found->is_number() ? found->get<double>() : 0;
        return std::isfinite(value) && std::abs(value) < 9e15 ? value : 0;
    };
    const auto count = [&number](const char* key) { return static_cast<std::int64_t>(number(key)); };
    const auto text = [&json](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    ArmState arm;
    arm.asked = count("asked");
    arm.hasAnswered = json.value("has_answered", nlohmann::json(false)) == true;
    arm.address = text("address");
    arm.reward = number("reward");
    arm.usd = number("usd");
    arm.priced = count("priced");
    arm.failedCalls = count("failed_calls");
    arm.authInRow = static_cast<int>(count("auth_in_row"));
    arm.quotaInRow = static_cast<int>(count("quota_in_row"));
    arm.failuresInRow = static_cast<int>(count("failures_in_row"));
    arm.failingSinceUtc = text("failing_since");
    arm.lastError = text("last_error");
    arm.pausedBecause = text("paused_because");
    arm.restsUntilUtc = text("rests_until");
    arm.restIsAsked = json.value("rest_is_asked", nlohmann::json(false)) == true;
    if (const auto refused = json.find("refused_parameters"); refused != json.end() && refused->is_array())
        for (const nlohmann::json& name : *refused)
            if (name.is_string())
                arm.refusedParameters.push_back(name.get<std::string>());
    return arm;
}

} // namespace tilewright
