// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/conditions.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

/// nvmlClocksThrottleReason…: those that are not a user's choice or rest.
constexpr std::pair<std::uint64_t, const char*> slowingReasons[] = {{0x04, "power limit"}, {0x08, "hardware slowdown"},
    {0x20, "software thermal slowdown"}, {0x40, "hardware thermal slowdown"}, {0x80, "power brake"}};

nlohmann::json at(const nlohmann::json& json, const char* key)
{
    return json.is_object() && json.contains(key) ? json.at(key) : nlohmann::json();
}

void widen(std::optional<Readings>& readings, const nlohmann::json& value)
{
    if (!value.is_number())
        return;
    const double number = value;
    readings = readings ? Readings{std::min(readings->lo, number), std::max(readings->hi, number)}
                        : Readings{number, number};
}

nlohmann::json jsonOfReadings(const std::optional<Readings>& readings)
{
    return readings ? nlohmann::json::array({readings->lo, readings->hi}) : nlohmann::json();
}

/// [low, high], or one number.
std::optional<Readings> readingsFrom(const nlohmann::json& json)
{
    std::optional<Readings> readings;
    if (!json.is_array())
        widen(readings, json);
    else if (json.size() == 2)
        for (const nlohmann::json& end : json)
            widen(readings, end);
    return readings;
}

void readThrottling(Conditions& conditions, const nlohmann::json& told)
{
    if (!told.is_object())
        return;
    conditions.throttling.emplace();
    for (const auto& [reason, blocks] : told.items())
        if (blocks.is_number_integer())
            (*conditions.throttling)[reason] = blocks;
}

} // namespace

std::string Conditions::throttlingWords() const
{
    std::string words;
    if (throttling)
        for (const auto& [reason, blocks] : *throttling)
            words += (words.empty() ? "" : ", ") + reason;
    return words;
}

std::map<std::string, int> throttlingOf(std::uint64_t reasons)
{
    std::map<std::string, int> words;
    for (const auto& [bit, name] : slowingReasons)
        if (reasons & bit)
            words[name] = 1;
    return words;
}

nlohmann::json observedOf(const nlohmann::json& blocks)
{
    std::optional<Readings> celsius, watts;
    nlohmann::json throttling;
    for (const nlohmann::json& block : blocks) {
        widen(celsius, at(block, "temp_c"));
        widen(watts, at(block, "power_w"));
        const nlohmann::json reasons = at(block, "reasons");
        if (!reasons.is_number_integer())
            continue;
        if (throttling.is_null())
            throttling = nlohmann::json::object();
        for (const auto& [reason, once] : throttlingOf(reasons.get<std::uint64_t>()))
            throttling[reason] = throttling.value(reason, 0) + once;
    }
    if (!celsius && !watts && throttling.is_null())
        return nullptr;
    return {{"blocks", blocks.size()}, {"temp_c", jsonOfReadings(celsius)}, {"power_w", jsonOfReadings(watts)},
        {"throttling", throttling}};
}

std::optional<Conditions> conditionsIn(const nlohmann::json& told)
{
    Conditions conditions;
    conditions.mhz = readingsFrom(at(told, "mhz"));
    if (conditions.mhz && conditions.mhz->lo <= 0) // nothing was read
        conditions.mhz.reset();
    if (conditions.mhz && told.contains("measuring_core")) // a processor's probe reads too low when it is interrupted
        conditions.mhz->lo = conditions.mhz->hi;
    if (const nlohmann::json observed = at(told, "observed"); observed.is_object()) {
        const nlohmann::json blocks = at(observed, "blocks");
        conditions.blocks = blocks.is_number_integer() ? blocks.get<int>() : 0;
        conditions.celsius = readingsFrom(at(observed, "temp_c"));
        conditions.watts = readingsFrom(at(observed, "power_w"));
        readThrottling(conditions, at(observed, "throttling"));
    } else {
        conditions.celsius = readingsFrom(at(told, "temp_c"));
        conditions.watts = readingsFrom(at(told, "power_w"));
        const nlohmann::json reasons = at(told, "clock_reasons");
        if (reasons.is_number_integer() && (conditions.celsius || conditions.watts)) // else nobody could be asked
            conditions.throttling = throttlingOf(reasons.get<std::uint64_t>());
    }
    if (!conditions.mhz && !conditions.celsius && !conditions.watts && !conditions.throttling)
        return std::nullopt;
    return conditions;
}

} // namespace tilewright
