// SPDX-License-Identifier: GPL-3.0-or-later
// What a user changed in a run, and from what to what: a mark on its time axis. Pure.
#pragma once

#include "core/model/event.h"

namespace tilewright {

struct RunState;

/// What was done, for words that are shorter than what, from and to.
enum class ChangeKind {
    Named, ///< the first word of `what` says it: "budget", "focus", "template"
    Became, ///< the first word of `to` says it: what the run, an island or its population became
    Insights, ///< the user's part of them
    Ban,
    Pin,
    Boost,
    SteeringRequest, ///< further edits of a candidate
    Copy, ///< to another island
    Move,
    Write, ///< a version of the user's own
    Rerun,
};

struct RunChange {
    std::int64_t seq = 0;
    std::string atUtc;
    std::int64_t evaluations = 0; ///< results before it, as RunState::resultsEver
    std::int64_t runNs = 0; ///< time spent running, as the last event before it tells
    IslandId island; ///< whose; none: of all, or of the run
    std::string what, from, to; ///< "focus of island B", "chosen by the strategy", "tune"; from may be empty
    bool isOfSettings
        = false; ///< budget, proposer, hints, review policy or limit: of no candidate and no island's steering command
    ChangeKind kind = ChangeKind::Named;
    CandidateId candidate = {}; ///< of Ban to Rerun: to whom it was done
    bool isEnded = false; ///< of those: it does not hold any more: the ban was lifted, the steering request was dropped
    std::int64_t takesBack = 0; ///< number of the event whose change it takes back; 0: it takes none back

    bool operator==(const RunChange&) const = default;
};

/// The mark of an event that is about to be applied to this state; none for what nobody decided.
std::optional<RunChange> changeOf(const RunState& before, const Event& event);
/// "300 evaluations, 12 s"; "no limit".
std::string wordsOfBudget(const Budget& budget);
/// "focus of island B: left to the strategy → tune".
std::string lineOf(const RunChange& change);
/// A steering command on islands or the budget, which has no words in the log but these.
bool isToldByItsChange(const EventBody& body);

} // namespace tilewright
