// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/blame.h"

#include <set>
#include <utility>

namespace tilewright {

Blame blameOf(const RunState& state, CandidateId candidate, LineOrigins origins)
{
    Blame blame{candidate, std::move(origins), {}, {}};
    for (const LineOrigin& origin : blame.origins.lines) {
        const Candidate* brought = state.candidate(origin.candidate);
        if (!brought || blame.provenance.contains(origin.candidate))
            continue;
        blame.provenance[origin.candidate] = provenanceOf(state, *brought);
        blame.titles[origin.candidate] = titleOf(state, *brought);
    }
    return blame;
}

Result<Blame> blameOf(const RunState& state, CandidateId candidate, const TextOf& textOf)
{
    auto origins = lineOriginsOf(state, candidate, textOf);
    if (!origins)
        return std::unexpected(origins.error());
    return blameOf(state, candidate, std::move(*origins));
}

std::vector<Hash> textsForBlame(const RunState& state, CandidateId candidate)
{
    std::set<Hash> texts;
    for (const CandidateId id : ancestryOf(state, candidate)) {
        const Candidate& each = *state.candidate(id);
        for (const Hash& hash : {each.source, each.patch})
            if (!hash.isNull())
                texts.insert(hash);
    }
    return {texts.begin(), texts.end()};
}

std::string sharedCostText(const Provenance& provenance)
{
    const std::string cost = costText(provenance);
    return provenance.costMicroUsd && provenance.sharedBy > 1 ? cost + " for " + std::to_string(provenance.sharedBy)
                                                              : cost;
}

} // namespace tilewright
