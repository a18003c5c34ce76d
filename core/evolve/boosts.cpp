// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/boosts.h"
#include "core/base/random.h"
#include "core/evolve/selection.h"
#include "core/model/reviews/review_queue.h"

#include <algorithm>

namespace tilewright {
namespace {

/// For every candidate of the run whether it is `root` or descends from it. Parents come before their children.
std::vector<bool> descendantsOf(const RunState& state, CandidateId root)
{
    std::vector<bool> belongs(state.candidates.size() + 1, false);
    belongs[static_cast<std::size_t>(root.value)] = true;
    for (std::size_t i = static_cast<std::size_t>(root.value); i < state.candidates.size(); ++i)
        belongs[i + 1] = std::ranges::any_of(state.candidates[i].parents,
            [&](CandidateId parent) { return belongs[static_cast<std::size_t>(parent.value)]; });
    return belongs;
}

} // namespace

std::vector<double> lineageBoosts(const RunState& state, const std::vector<const Candidate*>& candidates)
{
    std::vector<double> boosts(candidates.size(), 1.0);
    for (const auto& [root, values] : state.marks) {
        const double boost = state.marksOf(root).boost;
        if (boost == 1)
            continue;
        const std::vector<bool> belongs = descendantsOf(state, root);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (belongs[static_cast<std::size_t>(candidates[i]->id.value)])
                boosts[i] *= boost;
    }
    const bool areEqual = std::ranges::all_of(boosts, [&](double boost) { return boost == boosts.front(); });
    return areEqual ? std::vector<double>{} : boosts;
}

std::size_t drawBoosted(const std::vector<double>& chances, const std::vector<double>& boosts, CounterRandom& random)
{
    double whole = 0;
    for (std::size_t i = 0; i < chances.size(); ++i)
        whole += chances[i] * boosts[i];
    double left = random.uniform() * whole;
    std::size_t last = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
        const double share = chances[i] * boosts[i];
        if (share <= 0)
            continue;
        last = i;
        if (left < share)
            return i;
        left -= share;
    }
    return last;
}

namespace {

constexpr std::size_t remembered = 300; ///< proposals, of all islands
constexpr int triesUntilSpent = 2;

} // namespace

bool isSpent(const RunState& state, const ProposalRequest& request)
{
    const Candidate* parent = request.parents.empty() ? nullptr : state.candidate(request.parents.front());
    if (!parent)
        return false;
    int tries = 0;
    const std::size_t count = state.proposals.size(), oldest = count - std::min(count, remembered);
    for (std::size_t i = count; i > oldest && tries < triesUntilSpent; --i) {
        const Proposal& proposal = state.proposals[i - 1];
        if (proposal.rule != "proposer/exhausted" || proposal.parents.empty()
            || (proposal.focus == Focus::Tune) != (request.focus == Focus::Tune))
            continue;
        const Candidate* asked = state.candidate(proposal.parents.front());
        tries += asked && asked->program == parent->program ? 1 : 0;
    }
    return tries == triesUntilSpent;
}

namespace {

Focus focusOfTemplate(const std::string& name)
{
    for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Crossover, Focus::Repair, Focus::Rewrite})
        if (nameOf(focus) == name)
            return focus;
    return Focus::Rewrite; // translate: a whole program
}

} // namespace

std::optional<ProposalRequest> steeringRequestOf(const RunState& state, const PendingRequests& pending)
{
    const SteeringRequest* steering = nextSteeringRequest(state);
    const Candidate* parent = steering ? state.candidate(steering->parent) : nullptr;
    const IslandId whose = steering && steering->prompt.island ? steering->prompt.island
        : parent                                               ? parent->island
                                                               : IslandId{};
    const Island* island = parent ? state.island(whose) : nullptr;
    if (!island)
        return std::nullopt;
    const auto waiting = pending.find(island->id);
    const std::int64_t asked = island->proposals + (waiting == pending.end() ? 0 : waiting->second);
    if (steering->prompt) {
        ProposalRequest asIs{island->id, asked + 1, focusOfTemplate(steering->prompt.templateName), {parent->id}};
        if (steering->prompt.other)
            asIs.parents.push_back(steering->prompt.other);
        asIs.steering = steering->id;
        asIs.prompt = steering->prompt;
        return asIs;
    }
    ProposalRequest request = drawnRequest(state, *island, asked + 1);
    std::vector<CandidateId> parents{parent->id};
    if (request.focus == Focus::Crossover)
        for (const CandidateId other : request.parents)
            if (parents.size() < 2 && state.candidate(other)->program != parent->program)
                parents.push_back(other);
    request.parents = std::move(parents);
    if (!steering->idea.empty())
        request = {request.island, request.ordinal, Focus::Explore, {parent->id}};
    request = fittingRequest(state, std::move(request));
    request.steering = steering->id;
    request.idea = steering->idea;
    return request;
}

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
