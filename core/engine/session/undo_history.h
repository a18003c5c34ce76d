// SPDX-License-Identifier: GPL-3.0-or-later
// Which commands of a run can be undone, and how: each entry and its inverse are derived from the run's events, so that
// they are there after the session was opened again, whoever gave the command. Pure.
#pragma once

#include "core/engine/command.h"
#include "core/model/run_state.h"

#include <functional>

namespace tilewright {

/// A command that can be undone, or could be but for `blocked`.
struct UndoEntry {
    std::int64_t seq = 0; ///< of the newest event that the command recorded; names the entry
    std::string description; ///< "Approved c-0012"
    std::vector<Command> inverse; ///< what undoes it, in this order
    std::string blocked = {}; ///< why it cannot be undone now; empty if it can
    bool isFinal = false; ///< `blocked` for ever: what it led to was measured, or sent
    std::string effect = {}; ///< a sentence on what holds because of it, where that is not plain
    std::string afterUndo = {}; ///< a sentence on what holds once it is undone, where that is not plain
    std::vector<CandidateId> reopened = {}; ///< candidates whose review is pending again then
    std::vector<std::int64_t> events = {}; ///< that commandsOf() makes it from again; empty where it cannot be redone
};

/// The newest first, the final ones among them; at most mostUndoEntries.
std::vector<UndoEntry> undoHistory(const RunState& run);
inline constexpr std::size_t mostUndoEntries = 200;

/// "Banned c-0012": what its last marks changed; empty where it has none.
std::string describeLastMarks(const RunState& run, CandidateId candidate);
/// "Paused island B".
std::string describe(const RunState& run, const IslandChange& islandChange);
/// What the user's part of the insights held, oldest first, none at the beginning: one that restores what the last one
/// replaced undoes that.
std::vector<InsightNote> insightsHeld(const RunState& run);

/// The commands that recorded these events: what repeats them. `textOf`: a text of the session by its hash. Errors:
/// undo/no-redo for events that no single command makes again.
Result<std::vector<Command>> commandsOf(
    const std::vector<Event>& events, const RunState& run, const std::function<std::string(const Hash&)>& textOf);

} // namespace tilewright
