// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/model/requests/model_request.h"
#include "core/base/names.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr NameTable<CallPurpose, 6> callPurposes{
    {{CallPurpose::Propose, "propose"}, {CallPurpose::Translate, "translate"}, {CallPurpose::Repair, "repair"},
        {CallPurpose::Rewrite, "rewrite"}, {CallPurpose::Summary, "summary"}, {CallPurpose::Judge, "judge"}}};

} // namespace

std::string nameOf(CallPurpose purpose) { return nameIn(callPurposes, purpose); }

CallPurpose purposeOf(const ModelRequest& modelRequest)
{
    if (modelRequest.asksForSummary())
        return CallPurpose::Summary;
    if (modelRequest.asksForJudgement())
        return CallPurpose::Judge;
    if (modelRequest.promptName == "translate")
        return CallPurpose::Translate;
    if (modelRequest.focus == Focus::Repair)
        return CallPurpose::Repair;
    return modelRequest.focus == Focus::Rewrite ? CallPurpose::Rewrite : CallPurpose::Propose;
}

TokenUsage& TokenUsage::operator+=(const TokenUsage& other)
{
    input += other.input;
    cacheRead += other.cacheRead;
    cacheWrite += other.cacheWrite;
    outputVisible += other.outputVisible;
    reasoning += other.reasoning;
    return *this;
}

nlohmann::json toJson(const TokenUsage& usage)
{
    return {{"input", usage.input}, {"cache_read", usage.cacheRead}, {"cache_write", usage.cacheWrite},
        {"output_visible", usage.outputVisible}, {"reasoning", usage.reasoning}};
}

TokenUsage usageFromJson(const nlohmann::json& json)
{
    const auto at = [&json](const char* key) {
        const auto found = json.find(key);
        const bool whole = found != json.end() && found->is_number_integer();
        return whole ? std::max<std::int64_t>(found->get<std::int64_t>(), 0) : 0;
    };
    return {at("input"), at("cache_read"), at("cache_write"), at("output_visible") + at("output"), at("reasoning")};
}

const TemplateVersion* versionBefore(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name)
{
    std::vector<const TemplateVersion*> held; // each as long as nothing above it is taken away
    for (const TemplateVersion& version : versions) {
        if (version.island != island || version.name != name)
            continue;
        if (version.text.isNull())
            held.clear();
        else if (version.again == 0)
            held.push_back(&version);
        else if (std::ranges::find(held, version.again, &TemplateVersion::held) == held.end())
            held.push_back(&version); // taken away, and that was taken back
        else
            while (held.back()->held() != version.again)
                held.pop_back();
    }
    return held.size() < 2 ? nullptr : held[held.size() - 2];
}

const TemplateVersion* newestTemplateOrder(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name)
{
    std::vector<const TemplateVersion*> standing;
    for (const TemplateVersion& version : versions) {
        if (version.island != island || version.name != name)
            continue;
        if (!version.isUndo)
            standing.push_back(&version);
        else if (!standing.empty())
            standing.pop_back();
    }
    return standing.empty() ? nullptr : standing.back();
}

const TemplateVersion* heldBefore(const std::vector<TemplateVersion>& versions, const TemplateVersion& version)
{
    const TemplateVersion* before = nullptr;
    for (const TemplateVersion& each : versions) {
        if (each.seq >= version.seq)
            break;
        if (each.island == version.island && each.name == version.name)
            before = &each;
    }
    return before && !before->text.isNull() ? before : nullptr;
}

} // namespace tilewright
