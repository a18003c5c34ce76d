// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reviews/review_queue.h"

#include "core/base/text.h"
#include "core/model/islands/living_islands.h"
#include "core/model/reviews/handwritten.h"

#include <algorithm>
#include <tuple>

namespace tilewright {
namespace {

/// Where all edits wait: of the evaluations that are left, they may take one in so many on all islands together.
constexpr std::int64_t waitingPart = 4;

bool allWait(const RunState& state, IslandId island) { return strictestPolicyOn(state, island) == ReviewPolicy::Every; }

/// What waits has its place in the budget, but nothing is known of it yet: it counts as left.
std::int64_t evaluationsToSpend(const RunState& state)
{
    return state.settings.budget.evaluations - (state.evaluationsStarted - state.waitingReviews);
}

std::int64_t sharersOf(const RunState& state)
{
    return std::ranges::count_if(state.islands,
        [&state](const Island& each) { return each.standing == Standing::Living && allWait(state, each.id); });
}

bool isOnItsWayToTheGate(const RunState& state, const Candidate& candidate)
{
    const bool isBefore
        = candidate.stage == Stage::Queued || candidate.stage == Stage::Building || candidate.stage == Stage::Checking;
    return isBefore && !candidate.parents.empty() && !needsNoWord(state, candidate)
        && reviewPolicyOf(state, candidate) != ReviewPolicy::Automatic;
}

/// Some of the proposers that the island's mix names are automatic: with them it goes on while edits of others wait.
bool asksWithoutReview(const RunState& state, IslandId island)
{
    return std::ranges::any_of(kindsAskedOn(state, island),
        [&](ProposerKind kind) { return state.settings.reviewPolicyOf(island, kind) == ReviewPolicy::Automatic; });
}

/// Whether one more edit may come that can wait for a review.
bool hasRoomForReviews(const RunState& state, IslandId island, std::int64_t pending)
{
    const std::int64_t limit = reviewLimitOn(state, island);
    if (limit <= 0)
        return true;
    const auto asked = std::ranges::count_if(state.modelRequests, [island](const ModelRequest& each) {
        return each.state == ModelRequestState::Open && each.island == island && !each.asksForSummary()
            && !each.asksForJudgement();
    });
    const auto come = std::ranges::count_if(state.candidates, [&](const Candidate& each) {
        return each.island == island && (each.stage == Stage::Review || isOnItsWayToTheGate(state, each));
    });
    return pending + asked + come < limit;
}

} // namespace

std::int64_t reviewLimitOn(const RunState& state, IslandId island)
{
    const RunSettings& settings = state.settings;
    if (strictestPolicyOn(state, island) == ReviewPolicy::Automatic || settings.reviewLimit == 0)
        return 0;
    if (settings.budget.evaluations == 0 || !allWait(state, island))
        return settings.reviewLimit;
    return shareThatWaits(evaluationsToSpend(state), sharersOf(state), settings.reviewLimit);
}

std::optional<std::int64_t> lowerLimitOn(const RunState& state, IslandId island)
{
    for (const Island& each : state.islands) {
        const std::int64_t limit = reviewLimitOn(state, each.id);
        if ((!island || each.id == island) && each.standing == Standing::Living && limit > 0
            && limit < state.settings.reviewLimit)
            return limit;
    }
    return {};
}

std::string wordsOfLowerLimit(const RunState& state)
{
    const auto limit = lowerLimitOn(state, {});
    if (!limit)
        return {};
    return std::to_string(*limit) + " in effect per island, not " + std::to_string(state.settings.reviewLimit)
        + ": with every, all islands together have at most a quarter of the "
        + counted(evaluationsToSpend(state), "remaining evaluation", "remaining evaluations") + ", but one each";
}

std::int64_t shareThatWaits(std::int64_t left, std::int64_t islands, std::int64_t most)
{
    return std::clamp<std::int64_t>(left / (waitingPart * std::max<std::int64_t>(islands, 1)), 1, most);
}

std::vector<const Review*> reviewsInOrder(const RunState& state)
{
    std::vector<const Review*> all;
    for (const Review& review : state.reviews)
        if (review.isWaiting() && !review.undone)
            all.push_back(&review);
    // Asked about once more, as the word was taken back, it has its old place.
    std::ranges::stable_sort(
        all, {}, [](const Review* each) { return std::tuple(each->decision, each->askedAtUtc, each->candidate); });
    return all;
}

bool needsNoWord(const RunState& state, const Candidate& candidate)
{
    const Review* said = state.review(candidate.review);
    if (said && !said->undone
        && (said->candidate == candidate.id ? said->decision == Decision::Approved : said->edited == candidate.id))
        return true;
    return isHandwritten(state, candidate);
}

std::int64_t waitingOn(const RunState& state, IslandId island)
{
    return std::ranges::count_if(state.candidates,
        [island](const Candidate& each) { return each.island == island && each.stage == Stage::Review; });
}

std::vector<IslandId> islandsWithPolicy(const RunState& state)
{
    std::vector<IslandId> all;
    for (IslandId island{1}; island.value <= state.islandCount(); ++island.value)
        if (livingIsland(state, island) || (state.waitingReviews > 0 && waitingOn(state, island) > 0))
            all.push_back(island);
    return all;
}

bool waitsForPerson(const RunState& state, IslandId island)
{
    const Island* asking = state.island(island);
    if (!asking || asking->standing != Standing::Living || asksWithoutReview(state, island))
        return false;
    const std::int64_t limit = reviewLimitOn(state, island);
    return limit > 0 && state.waitingReviews >= limit && waitingOn(state, island) >= limit;
}

std::vector<IslandId> islandsThatWait(const RunState& state)
{
    std::vector<IslandId> all;
    for (const Island& island : state.islands)
        if (waitsForPerson(state, island.id))
            all.push_back(island.id);
    return all;
}

bool everyIslandWaits(const RunState& state)
{
    const auto living = std::ranges::count(state.islands, Standing::Living, &Island::standing);
    return living > 0 && std::ssize(islandsThatWait(state)) == living;
}

bool mayPropose(const RunState& state, IslandId island, std::int64_t pending)
{
    return asksWithoutReview(state, island) || hasRoomForReviews(state, island, pending);
}

bool mayAsk(const RunState& state, IslandId island, ProposerKind kind)
{
    return state.settings.reviewPolicyOf(island, kind) == ReviewPolicy::Automatic
        || hasRoomForReviews(state, island, 0);
}

std::string wordsOfWaiting(const RunState& state, IslandId island)
{
    return waitsForPerson(state, island)
        ? "blocked: " + counted(waitingOn(state, island), "pending review", "pending reviews")
        : std::string();
}

ProposerKind reviewKindOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    if (proposal && proposal->proposer == "recombiner") // as whoever the run asks for edits
        return proposerKindFromName(state.settings.proposer).value_or(ProposerKind::Manual);
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

const Review* ownReview(const RunState& state, const Candidate& candidate)
{
    const Review* review = state.review(candidate.review);
    return review && review->candidate == candidate.id ? review : nullptr;
}

CandidateId editedInto(const RunState& state, const Candidate& candidate)
{
    const Review* review = ownReview(state, candidate);
    const bool isEdited = review && review->decision == Decision::Edited && !review->undone;
    return isEdited ? review->edited : CandidateId{};
}

CandidateId editedFrom(const RunState& state, const Candidate& candidate)
{
    const Review* review = state.review(candidate.review);
    return review && review->edited == candidate.id ? review->candidate : CandidateId{};
}

std::string wordsOfEdit(const RunState& state, const Candidate& candidate)
{
    if (const CandidateId into = editedInto(state, candidate))
        return "edited: " + candidateName(into);
    if (const CandidateId from = editedFrom(state, candidate))
        return "edited from " + candidateName(from);
    return {};
}

} // namespace tilewright
