// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/capabilities.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

/// "generationConfig.topP", "generation_config.top_p" and "top_p" are one parameter.
std::string plain(std::string_view wireName)
{
    const std::size_t dot = wireName.rfind('.');
    std::string name;
    for (const char c : dot == std::string_view::npos ? wireName : wireName.substr(dot + 1))
        if (c != '_')
            name += lowered(c);
    return name;
}

} // namespace

std::optional<Capabilities> withoutParameter(const Capabilities& capabilities, std::string_view wireName)
{
    Capabilities without = capabilities;
    const std::string name = plain(wireName);
    const auto is = [&name](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, name) != names.end();
    };
    if (is({"temperature"}))
        without.temperature = false;
    else if (is({"topp"}))
        without.topP = false;
    else if (is({"seed"}))
        without.seed = false;
    else if (is({"stop", "stopsequences"}))
        without.stop = false;
    else if (is({"n", "candidatecount"}))
        without.samples = false;
    else if (is({"reasoningeffort", "effort", "reasoning", "outputconfig", "thinking", "thinkinglevel",
                 "thinkingconfig"}))
        without.reasoningEffort = false;
    else if (is({"streamoptions", "includeusage"}))
        without.streamUsage = false;
    else if (is({"maxtokens"}))
        without.outputLimit = OutputLimitName::MaxCompletionTokens;
    else if (is({"maxcompletiontokens"}))
        without.outputLimit = OutputLimitName::MaxTokens;
    else if (is({"role"}) || wireName.find("role") != std::string_view::npos)
        without.systemRole = capabilities.systemRole == SystemRole::Developer ? SystemRole::System : SystemRole::User;
    if (without == capabilities)
        return std::nullopt;
    return without;
}

nlohmann::json toJson(const Capabilities& capabilities)
{
    return {{"temperature", capabilities.temperature}, {"top_p", capabilities.topP}, {"seed", capabilities.seed},
        {"stop", capabilities.stop}, {"samples", capabilities.samples},
        {"reasoning_effort", capabilities.reasoningEffort}, {"stream_usage", capabilities.streamUsage},
        {"system_role", nameIn(systemRoles, capabilities.systemRole)},
        {"output_limit", nameIn(outputLimitNames, capabilities.outputLimit)},
        {"context_tokens", capabilities.contextTokens}, {"most_output_tokens", capabilities.mostOutputTokens}};
}

} // namespace tilewright
