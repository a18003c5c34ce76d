// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_room.h"

#include "core/engine/model_correspondent.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Roles and separators around the texts.
constexpr std::int64_t frameTokens = 64;

} // namespace

std::map<std::string, double> modelWeightsOn(const ModelsFile& models, const RunState& state, IslandId id)
{
    if (!id) { // a summary belongs to none
        std::map<std::string, double> all;
        for (const ModelSpec& spec : models.models)
            all[spec.name] = spec.weight;
        return all;
    }
    const Island* island = state.island(id);
    if (island && !island->steering.proposers.empty()) {
        std::map<std::string, double> own;
        for (const auto& [name, weight] : island->steering.proposers)
            if (name.starts_with(modelInMix) && models.model(name.substr(modelInMix.size())))
                own[name.substr(modelInMix.size())] = weight;
        return own;
    }
    return models.weightsFor(island && models.islands.contains(island->name) ? island->name : islandLetter(id));
}

PromptRoom ModelCorrespondent::promptRoom(IslandId island) const
{
    return promptRoomOf(
        m_models, m_mailbox.state(), island, [this](const std::string& model) { return m_client->estimatorOf(model); });
}

PromptRoom promptRoomOf(const ModelsFile& models, const RunState& state, IslandId island, const KnownTokens& known)
{
    const std::map<std::string, double> own
        = island ? modelWeightsOn(models, state, island) : std::map<std::string, double>{};
    const ArmStates& arms = state.arms;
    PromptRoom least;
    double fewestBytes = 0, mostLearned = 0;
    std::optional<double> dearest = 0, dearestWritten = 0;
    for (ModelSpec spec : models.models) {
        const auto weight = own.find(spec.name);
        const auto arm = arms.find(spec.name);
        // Where the island's own models cannot be asked, all others are.
        const bool mayBeAsked = (spec.weight > 0 || (weight != own.end() && weight->second > 0))
            && (arm == arms.end() || arm->second.pausedBecause.empty());
        if (!mayBeAsked)
            continue;
        if (arm != arms.end())
            for (const std::string& refused : arm->second.refusedParameters)
                spec.capabilities = withoutParameter(spec.capabilities, refused).value_or(spec.capabilities);
        if (!spec.price)
            dearest = dearestWritten = std::nullopt;
        else if (dearest) {
            dearest = std::max(*dearest, spec.price->input / 1e6);
            dearestWritten = std::max(*dearestWritten, spec.price->output / 1e6);
        }
        const TokenEstimator told = known ? known(spec.name) : TokenEstimator{};
        const double learned = told.seen > 0 ? told.tokensPerByte : 0;
        mostLearned = std::max(mostLearned, learned);
        if (spec.capabilities.contextTokens <= 0)
            continue;
        ModelRequest plain;
        plain.model = spec.name;
        const std::int64_t context = spec.capabilities.contextTokens, output = outputLimitOf(spec, plain);
        // An output limit that leaves nothing to read was never meant so: half of the context is kept for the answer.
        const std::int64_t tokens
            = std::max<std::int64_t>(context - (output < context ? output : context / 2) - frameTokens, 1);
        const double bytes = static_cast<double>(tokens) / (learned > 0 ? learned : usualTokensPerByte);
        if (least.tokens == 0 || bytes < fewestBytes) {
            least = {tokens, learned, spec.name, {}, {}};
            fewestBytes = bytes;
        }
    }
    if (least.tokens == 0) // nobody's context is known, but what a byte makes may be
        least.tokensPerByte = mostLearned;
    least.usdPerToken = dearest;
    least.usdPerTokenWritten = dearestWritten;
    return least;
}

} // namespace tilewright
