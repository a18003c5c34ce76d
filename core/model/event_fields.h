// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of an event's JSON: how hashes, ids, intervals and names are written and read. A field that is absent has its
// default; one that must be there throws, and eventFromJson says so.
#pragma once

#include "core/base/json_text.h"
#include "core/base/names.h"
#include "core/model/candidate.h"
#include "core/model/island_lever.h"

#include <stdexcept>

namespace tilewright {

namespace events {
struct IslandCreated;
}

inline std::string hexOf(const Hash& hash) { return hash.isNull() ? std::string() : hash.hex(); }
inline Hash hashAt(const nlohmann::json& json, const char* key) { return Hash::fromHex(json.value(key, "")); }
template <typename IdType> IdType idAt(const nlohmann::json& json, const char* key)
{
    return IdType{json.value(key, std::int64_t(0))};
}

inline nlohmann::json idsJson(const std::vector<CandidateId>& ids)
{
    nlohmann::json list = nlohmann::json::array();
    for (const CandidateId id : ids)
        list.push_back(id.value);
    return list;
}

inline std::vector<CandidateId> idsAt(const nlohmann::json& json, const char* key)
{
    std::vector<CandidateId> ids;
    for (const nlohmann::json& id : json.value(key, nlohmann::json::array()))
        ids.push_back({id.get<std::int64_t>()});
    return ids;
}

inline nlohmann::json intervalJson(const std::optional<Interval>& interval)
{
    return interval ? interval->json() : nlohmann::json(nullptr);
}

inline std::optional<Interval> intervalAt(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::nullopt : Interval::fromJson(*found);
}

template <typename Enum, std::size_t N>
Enum enumAt(const nlohmann::json& json, const char* key, const NameTable<Enum, N>& table)
{
    const auto value = valueIn(table, json.at(key).get<std::string>());
    if (!value)
        throw std::runtime_error(std::string(key) + " has the unknown value " + dumped(json.at(key)));
    return *value;
}

nlohmann::json toJson(const Inquiry& inquiry);
nlohmann::json toJson(const InquiryAnswer& answer);
nlohmann::json toJson(const InquiryBody& body);
nlohmann::json toJson(const InsightNote& note);
Inquiry inquiryFrom(const nlohmann::json& json);
InquiryAnswer answerFrom(const nlohmann::json& json);
InquiryBody bodyFrom(const nlohmann::json& json);
InsightNote noteFrom(const nlohmann::json& json);
nlohmann::json toJson(const IslandSteering& steering);
nlohmann::json toJson(const MigrationPlan& plan);
nlohmann::json toJson(const events::IslandStandingChanged& event);
IslandSteering steeringFrom(const nlohmann::json& json);
MigrationPlan migrationFrom(const nlohmann::json& json);
events::IslandStandingChanged standingFrom(const nlohmann::json& json);
nlohmann::json toJson(const events::IslandCreated& event);
events::IslandCreated createdFrom(const nlohmann::json& json);
nlohmann::json toJson(const events::LeverUndone& event);
events::LeverUndone undoneFrom(const nlohmann::json& json);

} // namespace tilewright
