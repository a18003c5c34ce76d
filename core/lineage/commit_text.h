// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the git view: names, messages, notes. Pure, so that a session always leads to the same commits.
#pragma once

#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <cstdint>
#include <map>
#include <string>

namespace tilewright {

/// What git calls author or committer.
struct GitPerson {
    std::string name, email;

    bool operator==(const GitPerson&) const = default;
};

/// Who wrote a candidate: the model or the proposer. Holds neither control characters nor the brackets that end a name
/// in a commit, and is never empty.
GitPerson authorPerson(const RunState& state, const Candidate& candidate);
/// Tilewright. No identity of the user's is needed or read.
GitPerson committerPerson();

/// The file of a commit: "program.cpp", "program.cu", or "program" with the extension of the task's source.
std::string programFileName(const Task& task);

/// Seconds since 1970 of the time of an event, "2026-11-23T23:00:25.003Z"; 0 for anything else.
std::int64_t secondsOf(const std::string& atUtc);

/// "c-0012 vectorize-b (1.92×, +3.1 % vs c-0007)", its rationale, and trailers that a script reads. The figures are
/// those of `state`: that of the event which admitted the candidate.
std::string admittedMessage(const RunState& state, const Candidate& candidate);
/// The same of a candidate that was not admitted; it has no figures, which stand in its note.
std::string keptMessage(const RunState& state, const Candidate& candidate);

/// When each evaluation was recorded.
using EvaluationTimes = std::map<EvaluationId, std::string>;
/// All that was measured of a candidate until now, and why it was rejected; empty where there is neither.
std::string noteText(const RunState& state, const Candidate& candidate, const EvaluationTimes& times);

/// "island-B".
std::string islandBranch(IslandId island);
/// "best-003-c-0050": the third program that was proven to be the best.
std::string bestTag(std::size_t number, CandidateId candidate);

} // namespace tilewright
