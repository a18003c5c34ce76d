// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/model_status.h"

#include "core/base/names.h"

namespace tilewright {

std::string nameOf(ModelCondition condition)
{
    static constexpr NameTable<ModelCondition, 5> names{
        {{ModelCondition::Ready, "ready"}, {ModelCondition::Slow, "slow"}, {ModelCondition::Waiting, "waiting"},
            {ModelCondition::Resting, "resting"}, {ModelCondition::Paused, "paused"}}};
    return nameIn(names, condition);
}

namespace {

/// "2026-11-21T18:02:21.250Z" → "18:02:21".
std::string timeOfDay(const std::string& utc)
{
    const std::size_t t = utc.find('T');
    return t == std::string::npos ? utc : utc.substr(t + 1, 8);
}

} // namespace

nlohmann::json toJson(const ServerLimit& limit)
{
    nlohmann::json json{{"kind", limit.kind}, {"left", limit.left}, {"of", nullptr}, {"refills_utc", nullptr},
        {"read_utc", limit.readUtc}};
    if (limit.of >= 0)
        json["of"] = limit.of;
    if (!limit.refillsUtc.empty())
        json["refills_utc"] = limit.refillsUtc;
    return json;
}

std::string wordsOf(const ServerLimit& limit)
{
    return std::to_string(limit.left) + (limit.of >= 0 ? " of " + std::to_string(limit.of) : "") + " " + limit.kind
        + " left" + (limit.refillsUtc.empty() ? "" : ", full again at " + timeOfDay(limit.refillsUtc)) + " (read at "
        + timeOfDay(limit.readUtc) + " UTC)";
}

} // namespace tilewright
