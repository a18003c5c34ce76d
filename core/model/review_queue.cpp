// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/review_queue.h"

#include "core/base/text.h"
#include "core/model/handwritten.h"

#include <algorithm>

namespace tilewright {
namespace {

/// The limit where the island is one that asks; 0: none holds.
int limitOn(const RunState& state, IslandId island)
{
    return state.settings.reviewPolicyOf(island) == ReviewPolicy::Automatic ? 0 : state.settings.reviewLimit;
}

bool isOnItsWayToTheGate(const RunState& state, const Candidate& candidate)
{
    const bool isBefore
        = candidate.stage == Stage::Queued || candidate.stage == Stage::Building || candidate.stage == Stage::Checking;
    return isBefore && !candidate.parents.empty() && !needsNoWord(state, candidate);
}

} // namespace

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

bool waitsForPerson(const RunState& state, IslandId island)
{
    const int limit = limitOn(state, island);
    return limit > 0 && state.waitingReviews >= limit && waitingOn(state, island) >= limit;
}

bool everyIslandWaits(const RunState& state)
{
    const auto takesTurns = [](const Island& island) { return island.standing == Standing::Living; };
    return std::ranges::any_of(state.islands, takesTurns)
        && std::ranges::all_of(state.islands,
            [&](const Island& island) { return !takesTurns(island) || waitsForPerson(state, island.id); });
}

bool mayPropose(const RunState& state, IslandId island, std::int64_t pending)
{
    const int limit = limitOn(state, island);
    if (limit <= 0)
        return true;
    const auto asked = std::ranges::count_if(state.inquiries, [island](const Inquiry& each) {
        return each.state == InquiryState::Open && each.island == island && !each.asksForSummary()
            && !each.asksForJudgement();
    });
    const auto come = std::ranges::count_if(state.candidates, [&](const Candidate& each) {
        return each.island == island && (each.stage == Stage::Review || isOnItsWayToTheGate(state, each));
    });
    return pending + asked + come < limit;
}

std::string wordsOfWaiting(const RunState& state, IslandId island)
{
    return waitsForPerson(state, island) ? "waits for you: " + counted(waitingOn(state, island), "edit", "edits")
                                         : std::string();
}

} // namespace tilewright
