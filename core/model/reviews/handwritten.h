// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates that a user wrote: taken back until they are measured, as if they had never been.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

namespace tilewright {

struct Candidate;
struct RunState;
struct LogLine;

namespace events {
/// It is over without a measurement.
struct HandwrittenWithdrawn {
    CandidateId candidate;
    bool operator==(const HandwrittenWithdrawn&) const = default;
};
} // namespace events

/// Whether a user wrote it.
bool isHandwritten(const RunState& state, const Candidate& candidate);
/// Whether a user wrote it of their own accord (not in place of one under review) and nothing of it is measured yet.
bool canBeWithdrawn(const RunState& state, const Candidate& candidate);

/// What a user wrote is over unmeasured, and nothing of it counts: no outcome, no place of the budget, no proposal of
/// theirs, and its program is as good as new.
void withdraw(RunState& state, CandidateId written, std::string rule, std::string text);

/// What apply() in run_state.h does, and what the log says of it; errors as there.
Result<LogLine> applyWithdrawal(RunState& state, const events::HandwrittenWithdrawn& event);

} // namespace tilewright
