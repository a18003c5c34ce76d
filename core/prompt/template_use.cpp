// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_use.h"

#include <algorithm>
#include <map>

namespace tilewright {
namespace {

/// The version of a template of exactly this island that was there when a question was written; null for none.
const TemplateVersion* versionAt(const RunState& state, IslandId island, const std::string& name, InquiryId inquiry)
{
    const TemplateVersion* found = nullptr;
    for (const TemplateVersion& version : state.templates)
        if (version.island == island && version.name == name && version.firstInquiry <= inquiry.value)
            found = version.text.isNull() ? nullptr : &version;
    return found;
}

bool isForOnce(const RunState& state, const Inquiry& inquiry)
{
    const Wish* wish = wishOf(state, inquiry.wish);
    return wish && !wish->prompt.text.isNull();
}

/// Of its island, or else of all.
int numberAt(const RunState& state, const Inquiry& inquiry, const std::string& name)
{
    const TemplateVersion* version = versionAt(state, inquiry.island, name, inquiry.id);
    if (!version && inquiry.island)
        version = versionAt(state, {}, name, inquiry.id);
    return version ? version->held() : 0;
}

} // namespace

VersionsOfPrompt versionsOfPrompt(const RunState& state, const Inquiry& inquiry)
{
    const bool once = isForOnce(state, inquiry);
    return {once ? 0 : numberAt(state, inquiry, inquiry.promptName), numberAt(state, inquiry, "system"), once};
}

std::vector<TemplateUse> templateUses(const RunState& state, IslandId island, const std::string& name)
{
    // Which version a question was written with; those that were written without this template are absent.
    std::map<InquiryId, int> used;
    for (const Inquiry& inquiry : state.inquiries) {
        if (inquiry.promptName != name && name != "system")
            continue;
        if (isForOnce(state, inquiry))
            continue;
        // A question about the whole run is of no island, and is written with what holds for all.
        const bool isTheirs = island ? inquiry.island == island : !versionAt(state, inquiry.island, name, inquiry.id);
        if (!isTheirs && !(!island && !inquiry.island))
            continue;
        const TemplateVersion* version = versionAt(state, island, name, inquiry.id);
        used[inquiry.id] = version ? version->held() : 0;
    }
    std::map<int, std::vector<PromptOutcome>> outcomes{{0, {}}};
    for (const TemplateVersion& version : state.templates)
        if (version.island == island && version.name == name && !version.text.isNull())
            outcomes[version.held()];
    for (PromptOutcome& outcome : promptOutcomesOf(state))
        if (const auto found = used.find(outcome.inquiry); found != used.end()) {
            // One group, whatever the system text was at the time.
            outcome.templateName = name;
            outcome.templateVersion = {};
            outcomes[found->second].push_back(std::move(outcome));
        }
    std::vector<TemplateUse> uses;
    for (const auto& [version, of] : outcomes) {
        const std::vector<PromptStatistics> groups = promptStatistics(of, PromptGrouping::TemplateVersion);
        uses.push_back({version, groups.empty() ? PromptStatistics{} : groups.front()});
        uses.back().statistics.asked
            = static_cast<int>(std::ranges::count(used, version, [](const auto& entry) { return entry.second; }));
    }
    return uses;
}

} // namespace tilewright
