// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/prompt_origin.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

constexpr std::string_view originBegin = "<!-- tilewright ", originEnd = " -->";

std::optional<PromptOrigin> parsedOrigin(const nlohmann::json& json)
{
    const auto number = [&json](const char* key) -> std::int64_t {
        return json.contains(key) && json[key].is_number_integer() ? json[key].get<std::int64_t>() : 0;
    };
    const auto word = [&json](const char* key) -> std::string {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
    };
    PromptOrigin origin;
    origin.asksForEdit = word("asks") == "edit";
    if (!origin.asksForEdit)
        return word("asks").empty() ? std::nullopt : std::optional(origin);
    origin.as.focus = focusFromName(word("focus"));
    origin.as.island = IslandId{number("island")};
    origin.as.ordinal = number("ordinal");
    origin.as.attempt = static_cast<int>(number("attempt"));
    origin.as.whole = json.contains("whole") && json["whole"] == true;
    if (nameOf(origin.as.focus) != word("focus") || !json.contains("parents") || !json["parents"].is_array())
        return std::nullopt;
    for (const nlohmann::json& parent : json["parents"])
        origin.parents.push_back(Hash::fromHex(parent.is_string() ? parent.get<std::string>() : ""));
    const bool isWhole = origin.as.ordinal > 0 && origin.as.attempt > 0 && !origin.parents.empty()
        && std::ranges::none_of(origin.parents, &Hash::isNull);
    return isWhole ? std::optional(origin) : std::nullopt;
}

} // namespace

bool PromptOrigin::operator==(const PromptOrigin& other) const
{
    return as.island == other.as.island && as.ordinal == other.as.ordinal && as.focus == other.as.focus
        && as.attempt == other.as.attempt && as.whole == other.as.whole && parents == other.parents
        && asksForEdit == other.asksForEdit;
}

std::string originLine(const RunState& state, InquiryId id)
{
    const Inquiry* inquiry = state.inquiry(id);
    if (!inquiry)
        return {};
    nlohmann::json json{{"asks", "edit"}};
    if (inquiry->asksForSummary() || inquiry->asksForJudgement()) {
        json["asks"] = inquiry->promptName;
    } else {
        nlohmann::json parents = nlohmann::json::array();
        for (const CandidateId parent : inquiry->parents)
            if (const Candidate* known = state.candidate(parent))
                parents.push_back(known->program.hex());
        json["island"] = inquiry->island.value;
        json["ordinal"] = inquiry->ordinal;
        json["focus"] = nameOf(inquiry->focus);
        json["attempt"] = inquiry->attempt;
        json["whole"] = inquiry->promptName == "translate";
        json["parents"] = std::move(parents);
    }
    return std::string(originBegin) + dumped(json) + std::string(originEnd) + "\n\n";
}

std::optional<PromptOrigin> originIn(std::string_view prompt)
{
    std::string_view line = trimmed(prompt.substr(0, prompt.find('\n')));
    if (!line.starts_with(originBegin) || !line.ends_with(originEnd)
        || line.size() < originBegin.size() + originEnd.size())
        return std::nullopt;
    line = line.substr(originBegin.size(), line.size() - originBegin.size() - originEnd.size());
    const nlohmann::json json = parsedJson(line);
    return json.is_object() ? parsedOrigin(json) : std::nullopt;
}

} // namespace tilewright
