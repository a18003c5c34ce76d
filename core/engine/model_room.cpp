// SPDX-License-Identifier: GPL-3.0-or-later
// How long the prompts of an island may be, by the context of the models that may be asked.
#include "core/engine/model_correspondent.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Roles and separators around the texts.
constexpr std::int64_t frameTokens = 64;

} // namespace

PromptRoom ModelCorrespondent::promptRoom(IslandId island) const
{
    const std::map<std::string, double> own = island ? weightsOf(island) : std::map<std::string, double>{};
    const ArmStates& arms = m_mailbox.state().arms;
    PromptRoom least;
    double fewestBytes = 0, mostLearned = 0;
    std::optional<double> dearest = 0;
    for (const ModelSpec& spec : m_models.models) {
        const auto weight = own.find(spec.name);
        const auto arm = arms.find(spec.name);
        // Where the island's own models cannot be asked, all others are.
        const bool mayBeAsked = (spec.weight > 0 || (weight != own.end() && weight->second > 0))
            && (arm == arms.end() || arm->second.pausedBecause.empty());
        if (!mayBeAsked)
            continue;
        if (!spec.price)
            dearest.reset();
        else if (dearest)
            dearest = std::max(*dearest, spec.price->input / 1e6);
        const TokenEstimator known = m_client->estimatorOf(spec.name);
        const double learned = known.seen > 0 ? known.tokensPerByte : 0;
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
            least = {tokens, learned, spec.name, {}};
            fewestBytes = bytes;
        }
    }
    if (least.tokens == 0) // nobody's context is known, but what a byte makes may be
        least.tokensPerByte = mostLearned;
    least.usdPerToken = dearest;
    return least;
}

} // namespace tilewright
