// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/review_kind.h"

#include <algorithm>

namespace tilewright {

ProposerKind reviewKindOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    const auto kind = proposal ? proposerKindFromName(proposal->proposer) : std::nullopt;
    return kind.value_or(ProposerKind::Manual);
}

ReviewPolicy reviewPolicyOf(const RunState& state, const Candidate& candidate)
{
    return state.settings.reviewPolicyOf(candidate.island, reviewKindOf(state, candidate));
}

std::vector<ProposerKind> kindsAskedOn(const RunState& state, IslandId id)
{
    std::vector<ProposerKind> kinds;
    const auto add = [&kinds](std::optional<ProposerKind> kind) {
        if (kind && std::ranges::find(kinds, *kind) == kinds.end())
            kinds.push_back(*kind);
    };
    const auto asked = proposerKindFromName(state.settings.proposer);
    const Island* island = state.island(id);
    for (const auto& [name, weight] : island ? island->steering.proposers : ProposerMix{}) {
        const auto kind = proposerKindFromName(name);
        if (weight > 0 && (kind == ProposerKind::Mutator || kind == ProposerKind::Tuner || kind == asked))
            add(kind); // the session cannot ask others
    }
    if (!kinds.empty())
        return kinds;
    add(asked);
    if (asked == ProposerKind::Mutator)
        add(ProposerKind::Tuner); // for requests with the focus tune
    return kinds;
}

ReviewPolicy strictestPolicyOn(const RunState& state, IslandId island)
{
    ReviewPolicy strictest = ReviewPolicy::Automatic;
    for (const ProposerKind kind : kindsAskedOn(state, island))
        strictest = std::max(strictest, state.settings.reviewPolicyOf(island, kind));
    return strictest;
}

} // namespace tilewright
