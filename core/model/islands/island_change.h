// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does to islands while a run goes on: the events of it, and the record that lets it be taken back.
#pragma once

#include "core/model/candidate.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct RunState;

namespace events {
/// An island was paused, goes on, or ended: merged into another, where its members have come as the newcomers.
struct IslandStandingChanged {
    IslandId island;
    Standing standing = Standing::Living;
    IslandId into; ///< of a merger, with what it did to the population there
    std::vector<CandidateId> newcomers, displaced;
    bool operator==(const IslandStandingChanged&) const = default;
};
/// From here on the island is steered like this, whole.
struct IslandSteered {
    IslandId island;
    IslandSteering steering;
    bool operator==(const IslandSteered&) const = default;
};
/// Its population is those that were kept, and no one else; the record stays.
struct IslandReset {
    IslandId island;
    std::vector<CandidateId> kept;
    bool operator==(const IslandReset&) const = default;
};
struct MigrationPlanned {
    MigrationPlan plan;
    bool operator==(const MigrationPlanned&) const = default;
};
/// The newest of the steering commands that still held was taken back. An island that was added ends, and what is under
/// way for it goes with it; one that was merged takes its turns again, and its newcomers leave; one that was reset has
/// its old population back, beside what came since; the copy that it began with leaves.
struct IslandChangeUndone {
    std::int64_t islandChange = 0; ///< its number, from 1
    std::vector<CandidateId> withdrawn = {}; ///< of an island that was added: what was not being measured yet
    std::vector<ModelRequestId> unwanted = {}; ///< and whose answers were still to come
    bool operator==(const IslandChangeUndone&) const = default;
};
} // namespace events

enum class IslandChangeKind { Added, Standing, Steered, Reset, Migration };

/// One steering command that was pulled, and what it changed.
struct IslandChange {
    std::int64_t number = 0;
    IslandChangeKind kind = IslandChangeKind::Steered;
    Island before; ///< of the island, without its trace; empty for Migration
    events::IslandStandingChanged standing; ///< of Standing: what happened
    MigrationPlan plan; ///< of Migration: the one before
    bool beganEmpty = false; ///< of Reset: a copy that comes at once is all of the new population
    bool undone = false;
    std::int64_t seq = 0; ///< of its event
    std::vector<CandidateId> kept = {}; ///< of Reset: who stayed
    std::size_t traceSteps = 0; ///< of Reset: of the island's trace before it

    bool operator==(const IslandChange&) const = default;
};

/// What apply() in run_state.h does for each; errors as there.
Result<void> applyIslandChange(RunState& state, const events::IslandStandingChanged& event);
Result<void> applyIslandChange(RunState& state, const events::IslandSteered& event);
Result<void> applyIslandChange(RunState& state, const events::IslandReset& event);
Result<void> applyIslandChange(RunState& state, const events::MigrationPlanned& event);
Result<void> applyIslandChange(RunState& state, const events::IslandChangeUndone& event);
/// Cells and best as the members say, a cell's holder being its best member; of equals who held it.
void holdCells(const RunState& state, Island& island);
/// It has as many turns behind it as the living island that has the fewest: it catches up on none.
void takeTurnsWithOthers(RunState& state, Island& island);
/// An island came while the run went on: it can be taken back, and owes no turns.
void noteAdded(RunState& state, IslandId island);

// What is under way for an island that was added and is taken back: what is not being measured yet is withdrawn with
// it, and answers that are still to come are recorded and not used; what is being measured is finished. Part of
// apply(): see run_state.h.

struct RunState;

struct UnderWay {
    std::vector<CandidateId> unmeasured; ///< made for it; nothing of them is being measured yet
    std::vector<CandidateId> measured; ///< being measured
    std::vector<ModelRequestId> asked; ///< questions for edits that were not answered yet

    bool operator==(const UnderWay&) const = default;
};
UnderWay underWayFor(const RunState& state, IslandId island);
/// What becomes of it once the island is taken back: "2 edits made for it are withdrawn, 1 that is being measured is
/// finished"; empty where nothing is under way.
std::string wordsOf(const UnderWay& underWay);

/// Whether the island was added and taken back.
bool isUnmade(const RunState& state, IslandId island);
/// What an island takes with it. Errors: event/unknown-id.
Result<void> withdrawWith(RunState& state, const events::IslandChangeUndone& event);

} // namespace tilewright
