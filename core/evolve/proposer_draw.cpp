// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/proposer_draw.h"

#include "core/base/random.h"
#include "core/model/review_queue.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Streams of one (seed, island): apart from what is drawn for a request in other rooms.
constexpr std::uint64_t mixStream = 3000;

std::string kindIn(const std::string& name) { return name.starts_with(modelInMix) ? std::string("model") : name; }

bool isBuiltIn(const std::string& kind) { return kind == "mutator" || kind == "tuner"; }

} // namespace

std::string drawnProposer(const RunState& state, const ProposalRequest& request, std::string_view outside)
{
    const Island* island = state.island(request.island);
    const Candidate* parent = request.parents.empty() ? nullptr : state.candidate(request.parents.front());
    std::map<std::string, double> chances; // by kind: which model is asked follows from what each has gained, too
    for (const auto& [name, weight] : island ? island->steering.proposers : ProposerMix{}) {
        const std::string kind = kindIn(name);
        if (weight > 0 && (isBuiltIn(kind) || kind == outside))
            chances[kind] += weight;
    }
    if (chances.size() > 1 && parent && parent->tunables.empty())
        chances.erase("tuner");
    auto free = chances; // without those whose edits would wait for a review while as many wait as may
    std::erase_if(free, [&](const auto& each) {
        const auto known = proposerKindFromName(each.first);
        return known && !mayAsk(state, request.island, *known);
    });
    if (!free.empty())
        chances = std::move(free);
    double all = 0;
    for (const auto& [kind, weight] : chances)
        all += weight;
    CounterRandom random(state.settings.seed, mixStream + static_cast<std::uint64_t>(request.island.value),
        static_cast<std::uint64_t>(request.ordinal));
    const double draw = random.uniform() * all;
    double below = 0;
    std::string drawn;
    for (const auto& [kind, weight] : chances) {
        drawn = kind;
        below += weight;
        if (draw < below)
            break;
    }
    return drawn;
}

bool mayMutate(const RunState& state, IslandId id)
{
    const Island* island = state.island(id);
    const ProposerMix mix = island ? island->steering.proposers : ProposerMix{};
    const auto own = mix.find("mutator");
    return mix.empty() ? state.settings.proposer == "mutator" : own != mix.end() && own->second > 0;
}

bool mixesBuiltIn(const RunState& state)
{
    return std::ranges::any_of(state.islands, [](const Island& island) {
        return island.standing == Standing::Living
            && std::ranges::any_of(
                island.steering.proposers, [](const auto& each) { return each.second > 0 && isBuiltIn(each.first); });
    });
}

} // namespace tilewright
