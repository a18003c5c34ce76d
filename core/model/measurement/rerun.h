// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate that a user has measured again: a further evaluation beside the first verdict, never in its place.
#pragma once

#include "core/base/result.h"
#include "core/model/candidate.h"

namespace tilewright {

using RerunId = Id<struct RerunTag>;

struct Rerun {
    RerunId id;
    CandidateId candidate;
    int repeats = 1; ///< times the samples of a confirmation
    CandidateId against; ///< what it is paired with; none: whoever is the incumbent then
    std::vector<Shape> shapes; ///< what it is measured on; none: all of the task's, as a confirmation
    std::string device; ///< its id; empty: the run's
    EvaluationId evaluation; ///< its result, once it is in
    bool withdrawn = false;
    std::int64_t seq = 0; ///< of the event that asked for it

    bool operator==(const Rerun&) const = default;
    bool isOpen() const { return !withdrawn && !evaluation; }
    /// It is measured as the run's confirmations are: on their shapes and on their device.
    bool isAsUsual() const { return shapes.empty() && device.empty(); }
};

struct RunState;
struct LogLine;

namespace events {
/// It is measured again as soon as the device is free for it.
struct RerunAsked {
    RerunId id;
    CandidateId candidate;
    int repeats = 1;
    CandidateId against = {};
    std::vector<Shape> shapes = {};
    std::string device = {};
    bool operator==(const RerunAsked&) const = default;
};
struct RerunWithdrawn {
    RerunId id;
    bool operator==(const RerunWithdrawn&) const = default;
};
} // namespace events

/// Its oldest open re-run; null if there is none.
const Rerun* openRerunOf(const RunState& state, CandidateId candidate);
const Rerun* newestOpenRerunOf(const RunState& state, CandidateId candidate);

/// The re-run that this is the result of; null if it is none's.
const Rerun* rerunOf(const RunState& state, EvaluationId evaluation);
/// ", 4 times the samples, on 777×1023×511, on cuda:1": what is unlike a confirmation; empty if nothing is.
std::string wordsOf(const Rerun& rerun);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applyRerun(RunState& state, const events::RerunAsked& event);
Result<LogLine> applyRerun(RunState& state, const events::RerunWithdrawn& event);
/// The result of a re-run, which is in the state already, was recorded: it is noted, and so is a contradiction.
Result<LogLine> finishRerun(RunState& state, const Evaluation& evaluation);

} // namespace tilewright
