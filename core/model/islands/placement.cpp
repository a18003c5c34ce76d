// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/islands/placement.h"

#include "core/model/best.h"
#include "core/model/event_names.h"
#include "core/model/reviews/editing.h"

#include <algorithm>

namespace tilewright {
namespace {

std::unexpected<Error> unknown(CandidateId id)
{
    return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(id.value));
}

void leave(Island& island, CandidateId id) { std::erase(island.members, id); }

void comeBack(Island& island, CandidateId id)
{
    if (std::ranges::find(island.members, id) == island.members.end())
        island.members.insert(island.members.begin(), id);
}

} // namespace

std::string nameOf(Placing placing) { return nameIn(placingNames, placing); }

const Placement* placementOf(const RunState& state, CandidateId copy)
{
    const auto found = std::ranges::find(state.placements, copy, &Placement::copy);
    return found == state.placements.end() ? nullptr : &*found;
}

Result<LogLine> applyPlacement(RunState& state, const events::Placed& e)
{
    const Candidate* from = state.candidate(e.from);
    Island* target = edit(state, e.copy.island);
    Island* home = from ? edit(state, from->island) : nullptr;
    if (!home || !target || e.copy.id.value != static_cast<std::int64_t>(state.candidates.size()) + 1)
        return unknown(from ? e.copy.id : e.from);
    Candidate copy = e.copy;
    copy.cell = e.cell;
    copy.seq = seqOfEvent(state);
    state.candidates.push_back(copy);
    for (const CandidateId gone : e.displaced)
        leave(*target, gone);
    target->members.push_back(copy.id);
    if (e.elite)
        target->niches[e.cell] = copy.id;
    const Candidate* best = state.candidate(target->best);
    if (!best || !best->isRanked() || copy.score->value > best->score->value)
        target->best = copy.id;
    if (e.placing == Placing::Move) {
        leave(*home, e.from);
        releaseCells(state);
    }
    state.placements.push_back({e.from, copy.id, e.placing, e.displaced, false});
    return LogLine{0, "", "info", copy.id,
        candidateName(e.from) + " was " + (e.placing == Placing::Move ? "moved" : "copied") + " to island "
            + islandLetter(target->id) + " as " + candidateName(copy.id)};
}

Result<LogLine> applyPlacement(RunState& state, const events::PlacementUndone& e)
{
    const auto placed = std::ranges::find(state.placements, e.copy, &Placement::copy);
    if (placed == state.placements.end() || placed->undone)
        return fail("event/order", "a placement is undone that is not in effect");
    placed->undone = true;
    Island& target = *edit(state, state.candidate(e.copy)->island);
    leave(target, e.copy);
    for (auto gone = placed->displaced.rbegin(); gone != placed->displaced.rend(); ++gone)
        comeBack(target, *gone);
    if (target.best == e.copy)
        findBest(state, target);
    releaseCells(state);
    if (placed->placing == Placing::Move) {
        comeBack(*edit(state, state.candidate(placed->from)->island), placed->from);
        claimCells(state, placed->from);
    }
    takeBack(state, {e.copy});
    return LogLine{0, "", "info", e.copy,
        candidateName(e.copy) + " was taken off island " + islandLetter(target.id) + " again"
            + (placed->placing == Placing::Move ? ", and " + candidateName(placed->from) + " put back" : "")};
}

} // namespace tilewright
