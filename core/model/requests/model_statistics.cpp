// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/model_statistics.h"

#include <cmath>

namespace tilewright {

nlohmann::json toJson(const ModelStatistics& statistics)
{
    nlohmann::json json{{"asked", statistics.asked}, {"reward", statistics.reward}, {"usd", statistics.usd},
        {"priced", statistics.priced}, {"failed_calls", statistics.failedCalls}, {"auth_in_row", statistics.authInRow},
        {"quota_in_row", statistics.quotaInRow}, {"failures_in_row", statistics.failuresInRow},
        {"failing_since", statistics.failingSinceUtc}, {"last_error", statistics.lastError},
        {"paused_because", statistics.pausedBecause}, {"rests_until", statistics.restsUntilUtc}};
    if (statistics.restIsAsked)
        json["rest_is_asked"] = true;
    if (statistics.hasAnswered)
        json["has_answered"] = true;
    if (!statistics.address.empty())
        json["address"] = statistics.address;
    if (!statistics.refusedParameters.empty())
        json["refused_parameters"] = statistics.refusedParameters;
    return json;
}

ModelStatistics modelStatisticsFromJson(const nlohmann::json& json)
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
    ModelStatistics statistics;
    statistics.asked = count("asked");
    statistics.hasAnswered = json.value("has_answered", nlohmann::json(false)) == true;
    statistics.address = text("address");
    statistics.reward = number("reward");
    statistics.usd = number("usd");
    statistics.priced = count("priced");
    statistics.failedCalls = count("failed_calls");
    statistics.authInRow = static_cast<int>(count("auth_in_row"));
    statistics.quotaInRow = static_cast<int>(count("quota_in_row"));
    statistics.failuresInRow = static_cast<int>(count("failures_in_row"));
    statistics.failingSinceUtc = text("failing_since");
    statistics.lastError = text("last_error");
    statistics.pausedBecause = text("paused_because");
    statistics.restsUntilUtc = text("rests_until");
    statistics.restIsAsked = json.value("rest_is_asked", nlohmann::json(false)) == true;
    if (const auto refused = json.find("refused_parameters"); refused != json.end() && refused->is_array())
        for (const nlohmann::json& name : *refused)
            if (name.is_string())
                statistics.refusedParameters.push_back(name.get<std::string>());
    return statistics;
}

} // namespace tilewright
