// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/random_search.h"

namespace tilewright {

std::optional<ProposalRequest> RandomSearch::request(
    const RunState& state, const Island& island, std::int64_t ordinal) const
{
    if (state.candidates.empty())
        return std::nullopt;
    return ProposalRequest{island.id, ordinal, Focus::Explore, {state.candidates[0].id}};
}

std::string RandomSearch::why(const RunState&, const Island&, const ProposalRequest&) const
{
    return "every proposal edits the seed";
}

} // namespace tilewright
