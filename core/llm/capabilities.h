// SPDX-License-Identifier: GPL-3.0-or-later
// What one model can be asked for. Providers refuse parameters that a model does not know, so each request is built
// from this table; a refused parameter is left out from then on. Shipped in resources/models/catalogue.json, changed
// by "capabilities" in the models file. Pure.
#pragma once

#include "core/base/names.h"
#include "core/base/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilewright {

/// How a chat protocol names who gives the instructions.
enum class SystemRole { System, Developer, User };
inline constexpr NameTable<SystemRole, 3> systemRoles{
    {{SystemRole::System, "system"}, {SystemRole::Developer, "developer"}, {SystemRole::User, "user"}}};

/// How Chat Completions name the output limit.
enum class OutputLimitName { MaxTokens, MaxCompletionTokens };
inline constexpr NameTable<OutputLimitName, 2> outputLimitNames{
    {{OutputLimitName::MaxTokens, "max_tokens"}, {OutputLimitName::MaxCompletionTokens, "max_completion_tokens"}}};

struct Capabilities {
    bool temperature = true, topP = true, seed = true, stop = true;
    bool samples = true; ///< several answers to one prompt
    bool reasoningEffort = false;
    bool streamUsage = true; ///< stream_options.include_usage
    SystemRole systemRole = SystemRole::System;
    OutputLimitName outputLimit = OutputLimitName::MaxTokens;
    std::int64_t contextTokens = 0; ///< 0: unknown
    std::int64_t mostOutputTokens = 0; ///< 0: unknown

    bool operator==(const Capabilities&) const = default;
};

/// The table without a parameter that a server refused by its wire name ("temperature", "max_tokens",
/// "generationConfig.seed"); a limit's name is exchanged for the other. None if that would change nothing: asking again
/// would then be refused again.
std::optional<Capabilities> withoutParameter(const Capabilities& capabilities, std::string_view wireName);

nlohmann::json toJson(const Capabilities& capabilities);

} // namespace tilewright
