// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/best_of_n.h"

namespace tilewright {

std::optional<ProposalRequest> BestOfN::request(const RunState& state, const Island& island, std::int64_t ordinal) const
{
    if (state.candidates.empty())
        return std::nullopt;
    ProposalRequest request{island.id, ordinal, Focus::Explore, {state.candidates[0].id}};
    request.alone = true;
    return request;
}

std::string BestOfN::why(const RunState&, const Island&, const ProposalRequest&) const
{
    return "every attempt starts from the seed and uses no other program";
}

} // namespace tilewright
