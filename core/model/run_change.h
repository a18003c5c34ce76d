// SPDX-License-Identifier: GPL-3.0-or-later
// What a person changed in a run, and from what to what: a mark on its time axis. Pure.
#pragma once

#include "core/model/event.h"

namespace tilewright {

struct RunState;

struct RunChange {
    std::int64_t seq = 0;
    std::string atUtc;
    std::int64_t evaluations = 0; ///< started before it
    std::int64_t runNs = 0; ///< time spent running, as the last event before it tells
    IslandId island; ///< whose; none: of all, or of the run
    std::string what, from, to; ///< "focus of island B", "left to the strategy", "tune"; from may be empty
    bool isOfSettings
        = false; ///< budget, proposer, hints, review policy or limit: of no candidate and no island's lever

    bool operator==(const RunChange&) const = default;
};

/// The mark of an event that is about to be applied to this state; none for what nobody decided.
std::optional<RunChange> changeOf(const RunState& before, const Event& event);
/// "300 evaluations, 12 s"; "no limit".
std::string wordsOfBudget(const Budget& budget);
/// "focus of island B: left to the strategy → tune".
std::string lineOf(const RunChange& change);
/// A lever on islands or the budget, which has no words in the log but these.
bool isToldByItsChange(const EventBody& body);

} // namespace tilewright
