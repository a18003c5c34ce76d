// SPDX-License-Identifier: GPL-3.0-or-later
// What a models file leaves to the machine that it is used on.
#include "core/base/text.h"
#include "core/llm/keys.h"
#include "core/llm/model_fields.h"
#include "core/llm/models_file.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

constexpr std::int64_t smallestContext = 2048; // the shortest prompt about a small kernel has more than half of it

/// Those that may be asked.
std::set<std::string> modelsWithAWeight(const ModelsFile& file)
{
    std::set<std::string> asked;
    for (const ModelSpec& spec : file.models)
        if (spec.weight > 0)
            asked.insert(spec.name);
    for (const auto& [island, weights] : file.islands)
        for (const auto& [model, weight] : weights)
            if (weight > 0)
                asked.insert(model);
    return asked;
}

/// As far as nobody has to be asked for it.
Result<void> keyIsGiven(const ModelEndpoint& endpoint)
{
    const auto key = parseKeyName(endpoint.key);
    const bool isAtHand = key && (key->place == KeyPlace::Variable || key->place == KeyPlace::Memory);
    if (!isAtHand || !KeyRing::atHand(*key).empty())
        return {};
    if (key->place == KeyPlace::Variable)
        return fail("llm/key-missing",
            "the endpoint " + endpoint.name + " has no key: the environment variable " + key->name
                + " is not set, or contains no key",
            "set it where Tilewright is started, or choose another key for the endpoint under Models");
    return fail("llm/key-missing",
        "the endpoint " + endpoint.name + " has no key: " + key->name + " is kept for one run of the window only",
        "paste it again under Models; for the command line, use an environment variable: \"key\": \"env:NAME\"");
}

/// One error of them all.
Error withoutKeys(const std::vector<Error>& missing)
{
    std::vector<std::string> texts, hints;
    for (const Error& error : missing) {
        texts.push_back(error.text);
        if (std::ranges::find(hints, error.hint) == hints.end())
            hints.push_back(error.hint);
    }
    return {missing.front().code, joined(texts, "; "), joined(hints, "; "), nullptr};
}

} // namespace

Result<void> checkUsable(const ModelsFile& file, const std::string& fileName)
{
    const std::set<std::string> asked = modelsWithAWeight(file);
    std::vector<FieldError> mistakes;
    std::vector<Error> missing; // no mistake of the file's
    for (std::size_t i = 0; i < file.models.size(); ++i) {
        const ModelSpec& spec = file.models[i];
        const std::int64_t context = spec.capabilities.contextTokens;
        if (asked.contains(spec.name) && context > 0 && context < smallestContext)
            mistakes.push_back({placed("models", i) + ".capabilities.context_tokens",
                "a context of " + std::to_string(context) + " tokens is too small for any prompt"});
    }
    for (std::size_t i = 0; i < file.endpoints.size(); ++i) {
        const ModelEndpoint& endpoint = file.endpoints[i];
        const bool isUsed = std::ranges::any_of(file.models,
            [&](const ModelSpec& spec) { return spec.endpoint == endpoint.name && asked.contains(spec.name); });
        if (!isUsed)
            continue;
        std::error_code problem;
        if (!endpoint.caFile.empty() && !std::filesystem::is_regular_file(endpoint.caFile, problem))
            mistakes.push_back({placed("endpoints", i) + ".ca_file", "there is no file " + endpoint.caFile});
        if (auto given = keyIsGiven(endpoint); !given)
            missing.push_back(std::move(given.error()));
    }
    if (!mistakes.empty())
        return std::unexpected(mistakesIn(fileName, mistakes));
    return missing.empty() ? Result<void>() : Result<void>(std::unexpected(withoutKeys(missing)));
}

} // namespace tilewright
