// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_use.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright {
namespace {

/// The version of a template of exactly this island that was there when a question was written; null for none.
const TemplateVersion* versionAt(
    const RunState& state, IslandId island, const std::string& name, ModelRequestId modelRequest)
{
    const TemplateVersion* found = nullptr;
    for (const TemplateVersion& version : state.templates)
        if (version.island == island && version.name == name && version.firstModelRequest <= modelRequest.value)
            found = version.text.isNull() ? nullptr : &version;
    return found;
}

bool isForOnce(const RunState& state, const ModelRequest& modelRequest)
{
    const SteeringRequest* steering = steeringRequestOf(state, modelRequest.steering);
    return steering && !steering->prompt.text.isNull();
}

/// Of its island, or else of all.
int numberAt(const RunState& state, const ModelRequest& modelRequest, const std::string& name)
{
    const TemplateVersion* version = versionAt(state, modelRequest.island, name, modelRequest.id);
    if (!version && modelRequest.island)
        version = versionAt(state, {}, name, modelRequest.id);
    return version ? version->held() : 0;
}

} // namespace

VersionsOfPrompt versionsOfPrompt(const RunState& state, const ModelRequest& modelRequest)
{
    const bool once = isForOnce(state, modelRequest);
    return {once ? 0 : numberAt(state, modelRequest, modelRequest.promptName), numberAt(state, modelRequest, "system"),
        once};
}

std::vector<TemplateUse> templateUses(const RunState& state, IslandId island, const std::string& name)
{
    // Which version a question was written with; those that were written without this template are absent.
    std::map<ModelRequestId, int> used;
    for (const ModelRequest& modelRequest : state.modelRequests) {
        if (modelRequest.promptName != name && name != "system")
            continue;
        if (isForOnce(state, modelRequest))
            continue;
        // A question about the whole run is of no island, and is written with what holds for all.
        const bool isTheirs
            = island ? modelRequest.island == island : !versionAt(state, modelRequest.island, name, modelRequest.id);
        if (!isTheirs && !(!island && !modelRequest.island))
            continue;
        const TemplateVersion* version = versionAt(state, island, name, modelRequest.id);
        used[modelRequest.id] = version ? version->held() : 0;
    }
    std::map<int, std::vector<PromptOutcome>> outcomes{{0, {}}};
    for (const TemplateVersion& version : state.templates)
        if (version.island == island && version.name == name && !version.text.isNull())
            outcomes[version.held()];
    for (PromptOutcome& outcome : promptOutcomesOf(state))
        if (const auto found = used.find(outcome.modelRequest); found != used.end()) {
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

std::optional<ReplyLength> replyLengthOf(const RunState& run, std::string_view templateName)
{
    ReplyLength length;
    for (const ModelRequest& modelRequest : run.modelRequests) {
        const ModelRequestAnswer& answer = modelRequest.answer;
        const bool isTold = answer.guessed == TokenUsage{} && answer.untold == 0 && answer.tokens.written() > 0;
        if (modelRequest.promptName != templateName || modelRequest.state != ModelRequestState::Complete || !isTold)
            continue;
        length.tokens += static_cast<double>(answer.tokens.written());
        ++length.replies;
    }
    if (length.replies == 0)
        return std::nullopt;
    length.tokens /= static_cast<double>(length.replies);
    return length;
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t longestReason = 1000;
/// An answer is one small object; what is longer is none, and what stands before the reply's end is a draft.
constexpr std::size_t longestObject = 4096, lookedAt = 32'768;
constexpr double mostExpected = 1e6;

/// The end of the object that begins at `from`, behind its brace; npos if it is not closed. Braces in strings count
/// not.
std::size_t endOfObject(const std::string& text, std::size_t from)
{
    int depth = 0;
    bool quoted = false;
    const std::size_t end = std::min(text.size(), from + longestObject);
    for (std::size_t at = from; at < end; ++at) {
        const char c = text[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            ++depth;
        else if (!quoted && c == '}' && --depth == 0)
            return at + 1;
    }
    return std::string::npos;
}

std::string textIn(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The beginning, cut between characters.
std::string shortened(std::string text)
{
    if (text.size() <= longestReason)
        return text;
    std::size_t end = longestReason;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

} // namespace

Judgement judgementIn(const std::string& whole, const RunState& state)
{
    const std::string reply = whole.substr(whole.size() > lookedAt ? whole.size() - lookedAt : 0);
    Judgement judgement;
    for (std::size_t at = reply.find('{'); at != std::string::npos; at = reply.find('{', at + 1)) {
        const std::size_t end = endOfObject(reply, at);
        if (end == std::string::npos)
            continue;
        const Json object = parsedJson<Json>(reply.substr(at, end - at));
        if (!object.is_object())
            continue;
        const auto verdict = judgeVerdictFromName(textIn(object, "verdict"));
        if (!verdict)
            continue;
        judgement = {};
        judgement.verdict = *verdict;
        judgement.reason = shortened(std::string(trimmed(printable(textIn(object, "reason")))));
        if (const CandidateId of = candidateFromName(textIn(object, "of")); state.candidate(of))
            judgement.of = of;
        if (const auto ratio = object.find("expected_ratio"); ratio != object.end() && ratio->is_number())
            if (const double value = ratio->get<double>(); std::isfinite(value) && value > 0 && value < mostExpected)
                judgement.expectedRatio = value;
        at = end - 1;
    }
    return judgement;
}

} // namespace tilewright
