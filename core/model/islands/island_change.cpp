// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/islands/island_change.h"

#include "core/base/text.h"
#include "core/model/best.h"
#include "core/model/niche_grid.h"
#include "core/model/reviews/editing.h"
#include "core/model/reviews/handwritten.h"

#include <algorithm>

namespace tilewright {
namespace {

std::unexpected<Error> outOfOrder(const std::string& what) { return fail("event/order", what); }

double scoreOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate && candidate->isRanked() ? candidate->score->value : 0;
}

void keep(RunState& state, IslandChange islandChange)
{
    islandChange.number = static_cast<std::int64_t>(state.islandChanges.size()) + 1;
    islandChange.before.bestTrace.clear();
    islandChange.seq = seqOfEvent(state);
    state.islandChanges.push_back(std::move(islandChange));
}

void setStanding(RunState& state, Island& island, Standing standing)
{
    const Standing before = std::exchange(island.standing, standing);
    if (standing == Standing::Living && before != Standing::Living)
        takeTurnsWithOthers(state, island);
}

bool lives(const Island& island, CandidateId id)
{
    return std::ranges::find(island.members, id) != island.members.end();
}

/// Takes those steps of the island's trace away that these newcomers were.
void forgetBests(const RunState& state, Island& island, const std::vector<CandidateId>& newcomers)
{
    for (const MigrationMark& mark : state.migrations)
        if (mark.isBest && mark.to == island.id && std::ranges::find(newcomers, mark.copy) != newcomers.end())
            std::erase(island.bestTrace, std::pair(mark.evaluations, scoreOf(state, mark.copy)));
}

/// These copies were no migrants: the islands count as if they had not come.
void uncount(RunState& state, const std::vector<CandidateId>& copies)
{
    for (std::size_t i = state.migrations.size(); i-- > 0;) {
        const MigrationMark& mark = state.migrations[i];
        if (std::ranges::find(copies, mark.copy) == copies.end())
            continue;
        --edit(state, mark.to)->admissions;
        const Candidate* original = state.candidate(mark.from);
        if (Island* from = original ? edit(state, original->island) : nullptr; from && from->lastMigration == mark.at)
            from->lastMigration = mark.before;
    }
}

/// A merger taken back: what came leaves, what left for it returns.
void partAgain(RunState& state, Island& host, const events::IslandStandingChanged& merger)
{
    for (const CandidateId id : merger.newcomers)
        std::erase(host.members, id);
    std::vector<CandidateId> members;
    for (const CandidateId id : merger.displaced)
        if (!lives(host, id) && std::ranges::find(merger.newcomers, id) == merger.newcomers.end())
            members.push_back(id);
    host.members.insert(host.members.begin(), members.begin(), members.end());
    forgetBests(state, host, merger.newcomers);
    uncount(state, merger.newcomers);
    holdCells(state, host);
    takeBack(state, merger.newcomers);
}

/// The copy that a reset island began with; none where it began with who was kept.
std::vector<CandidateId> firstCopy(const RunState& state, const IslandChange& reset)
{
    if (reset.beganEmpty)
        for (const CandidateId id : copiesOn(state, reset.before.id))
            if (state.candidate(id)->seq > reset.seq)
                return {id};
    return {};
}

/// As the trace goes on without a reset: of what came since, what was better than all before.
void forgetFall(Island& island, std::size_t stepsBefore)
{
    const std::vector<std::pair<std::int64_t, double>> since(
        island.bestTrace.begin() + static_cast<std::ptrdiff_t>(std::min(stepsBefore, island.bestTrace.size())),
        island.bestTrace.end());
    island.bestTrace.resize(island.bestTrace.size() - since.size());
    for (const auto& step : since)
        if (island.bestTrace.empty() || step.second > island.bestTrace.back().second)
            island.bestTrace.push_back(step);
}

/// A reset taken back: the old population and what came since, together.
void returnPopulation(RunState& state, Island& island, const IslandChange& reset)
{
    const std::vector<CandidateId> copy = firstCopy(state, reset);
    std::vector<CandidateId> members = reset.before.members;
    for (const CandidateId id : island.members)
        if (!lives(reset.before, id) && std::ranges::find(copy, id) == copy.end()
            && std::ranges::find(reset.kept, id) == reset.kept.end())
            members.push_back(id);
    island.members = std::move(members);
    forgetBests(state, island, copy);
    forgetFall(island, reset.traceSteps);
    uncount(state, copy);
    holdCells(state, island);
    takeBack(state, copy);
}

} // namespace

void holdCells(const RunState& state, Island& island)
{
    const auto held = std::exchange(island.niches, {});
    const auto isHolder = [&](CandidateId id, const std::string& cell) {
        const auto found = held.find(cell);
        return found != held.end() && found->second == id;
    };
    const CandidateId best = std::exchange(island.best, {});
    for (const CandidateId id : island.members) {
        const std::string& cell = state.candidate(id)->cell;
        const double score = scoreOf(state, id);
        const auto holder = island.niches.try_emplace(cell, id).first;
        if (score > scoreOf(state, holder->second) || (score == scoreOf(state, holder->second) && isHolder(id, cell)))
            holder->second = id;
        if (!island.best || score > scoreOf(state, island.best))
            island.best = id;
    }
    if (!island.best || island.best == best)
        return;
    const double score = scoreOf(state, island.best);
    if (island.bestTrace.empty() || island.bestTrace.back().second != score)
        island.bestTrace.emplace_back(state.resultsEver, score);
}

void takeTurnsWithOthers(RunState& state, Island& island)
{
    std::optional<std::int64_t> fewest;
    for (const Island& other : state.islands)
        if (other.id != island.id && other.standing == Standing::Living)
            fewest = std::min(fewest.value_or(other.turns()), other.turns());
    if (fewest)
        island.headStart += std::max<std::int64_t>(*fewest - island.turns(), 0);
}

void noteAdded(RunState& state, IslandId id)
{
    Island& island = *edit(state, id);
    takeTurnsWithOthers(state, island);
    keep(state, {0, IslandChangeKind::Added, island, {}, {}});
}

Result<void> applyIslandChange(RunState& state, const events::IslandStandingChanged& e)
{
    Island* island = edit(state, e.island);
    Island* host = edit(state, e.into);
    if (!island || (e.into && (!host || host == island)))
        return fail("event/unknown-id", "an event names an unknown island, or merges one into itself");
    for (const CandidateId id : e.newcomers)
        if (!state.candidate(id))
            return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(id.value));
    if (island->standing == Standing::Ended)
        return outOfOrder("the state of an island changes that has ended");
    keep(state, {0, IslandChangeKind::Standing, *island, e, {}});
    island->mergedInto = e.into;
    setStanding(state, *island, e.standing);
    return {};
}

Result<void> applyIslandChange(RunState& state, const events::IslandSteered& e)
{
    Island* island = edit(state, e.island);
    if (!island)
        return fail("event/unknown-id", "an event names the unknown island " + std::to_string(e.island.value));
    keep(state, {0, IslandChangeKind::Steered, *island, {}, {}});
    island->steering = e.steering;
    return {};
}

Result<void> applyIslandChange(RunState& state, const events::IslandReset& e)
{
    Island* island = edit(state, e.island);
    if (!island || std::ranges::any_of(e.kept, [&](CandidateId id) { return !state.candidate(id); }))
        return fail("event/unknown-id", "an event names an unknown island or candidate");
    keep(state,
        {0, IslandChangeKind::Reset, *island, {}, {}, e.kept.empty(), false, 0, e.kept, island->bestTrace.size()});
    island->members = e.kept;
    holdCells(state, *island);
    return {};
}

Result<void> applyIslandChange(RunState& state, const events::MigrationPlanned& e)
{
    keep(state, {0, IslandChangeKind::Migration, {}, {}, state.settings.migration});
    state.settings.migration = e.plan;
    return {};
}

Result<void> applyIslandChange(RunState& state, const events::IslandChangeUndone& e)
{
    const IslandChange* newest = state.newestIslandChange();
    if (!newest || newest->number != e.islandChange)
        return outOfOrder("an island change is undone that is not the latest");
    const IslandChange islandChange = *newest;
    state.islandChanges.edit(static_cast<std::size_t>(islandChange.number - 1)).undone = true;
    Island* island = edit(state, islandChange.before.id);
    switch (islandChange.kind) {
    case IslandChangeKind::Migration:
        state.settings.migration = islandChange.plan;
        break;
    case IslandChangeKind::Added: {
        setStanding(state, *island, Standing::Ended);
        island->unmade = true;
        const std::vector<CandidateId> copies = copiesOn(state, island->id);
        uncount(state, copies);
        takeBack(state, copies);
        return withdrawWith(state, e);
    }
    case IslandChangeKind::Steered:
        island->steering = islandChange.before.steering;
        break;
    case IslandChangeKind::Reset:
        returnPopulation(state, *island, islandChange);
        break;
    case IslandChangeKind::Standing:
        island->mergedInto = islandChange.before.mergedInto;
        setStanding(state, *island, islandChange.before.standing);
        if (Island* host = edit(state, islandChange.standing.into))
            partAgain(state, *host, islandChange.standing);
        break;
    }
    return {};
}

namespace {

/// Whatever it waits for; it was not sent to be measured.
bool isUnmeasured(Stage stage)
{
    return stage == Stage::Queued || stage == Stage::Building || stage == Stage::Checking || stage == Stage::Review;
}

/// Nobody is asked about it any more, and the word that it went on by, if there was one, is left nothing to do.
void closeReview(RunState& state, const Candidate& candidate)
{
    Review* review = edit(state, candidate.review);
    if (!review || review->undone)
        return;
    state.waitingReviews -= review->isWaiting() ? 1 : 0;
    review->undone = true;
}

} // namespace

UnderWay underWayFor(const RunState& state, IslandId island)
{
    UnderWay found;
    for (const Candidate& candidate : state.candidates)
        if (candidate.island == island && !candidate.migrated && !candidate.isOver())
            (isUnmeasured(candidate.stage) ? found.unmeasured : found.measured).push_back(candidate.id);
    for (const ModelRequest& modelRequest : state.modelRequests)
        if (modelRequest.island == island && modelRequest.state == ModelRequestState::Open && !modelRequest.unwanted)
            found.asked.push_back(modelRequest.id);
    return found;
}

std::string wordsOf(const UnderWay& underWay)
{
    std::vector<std::string> parts;
    const auto add = [&parts](std::size_t count, const char* one, const char* several) {
        if (count > 0)
            parts.push_back(counted(static_cast<std::int64_t>(count), one, several));
    };
    add(underWay.unmeasured.size(), "edit for it is cancelled", "edits for it are cancelled");
    add(underWay.measured.size(), "edit in measurement is finished", "edits in measurement are finished");
    add(underWay.asked.size(), "reply in flight is not used", "replies in flight are not used");
    return joined(parts, ", ");
}

bool isUnmade(const RunState& state, IslandId id)
{
    const Island* island = state.island(id);
    return island && island->unmade;
}

Result<void> withdrawWith(RunState& state, const events::IslandChangeUndone& e)
{
    for (const CandidateId id : e.withdrawn) {
        const Candidate* candidate = state.candidate(id);
        if (!candidate)
            return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(id.value));
        closeReview(state, *candidate);
        withdraw(state, id, std::string(ruleOfUnmade), "the island that it was made for was undone");
    }
    for (const ModelRequestId id : e.unwanted) {
        ModelRequest* modelRequest = edit(state, id);
        if (!modelRequest)
            return fail("event/unknown-id", "an event names the unknown model request " + std::to_string(id.value));
        modelRequest->unwanted = true;
    }
    return {};
}

std::vector<NicheAxis> nicheAxes(const RunState& run, const Task& task)
{
    std::vector<NicheAxis> axes = task.niches;
    for (std::size_t i = 0; i < axes.size() && i < run.grid.scales.size(); ++i)
        axes[i].scale = run.grid.scales[i];
    return axes;
}

Result<LogLine> applyGrid(RunState& state, const events::GridRebinned& e)
{
    if (e.candidates.size() != e.cells.size())
        return fail("event/unknown-id", "an event that redefines the niches has fewer or more cells than candidates");
    for (std::size_t i = 0; i < e.candidates.size(); ++i) {
        Candidate* candidate = edit(state, e.candidates[i]);
        if (!candidate)
            return fail(
                "event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidates[i].value));
        candidate->cell = e.cells[i];
    }
    state.grid = {e.scales, state.evaluationsDone};
    for (Island& island : state.islands)
        holdCells(state, island);
    releaseCells(state);
    return LogLine{0, "", "info", {}, "the niches were redefined over the range of the islands' programs"};
}

} // namespace tilewright
