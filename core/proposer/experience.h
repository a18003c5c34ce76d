// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has taught so far, read from its state: how much each move gained where it was added, which values of a
// tunable the best programs have, and the samples of the performance model. Pure.
#pragma once

#include "core/base/random.h"
#include "core/model/run_state.h"
#include "core/proposer/performance_model.h"

namespace tilewright {

/// Gain of one move, as a normal belief about the log ratio of child to parent.
struct MoveBelief {
    double mean = 0, deviation = 0;
};

/// From every ranked child that added the move; children whose other moves resemble the lineage's weigh more. Without
/// evidence: a hopeful prior. Failed children count as a clear loss.
MoveBelief beliefAbout(const RunState& state, const std::string& move, const std::vector<std::string>& lineage);

/// Value of the tunable in the best ranked candidate that has it; none when nobody has.
std::optional<std::int64_t> bestKnownValue(const RunState& state, const std::string& tunable);

/// One sample a measured program, oldest first, its tunables located by the pack's choices. Programs that failed
/// count as bad as the worst that ranked. Of those that `counts` says, where it is given.
std::vector<ModelSample> samplesOf(const RunState& state, const std::map<std::string, Tunable>& choices,
    const std::function<bool(const Candidate&)>& counts = {});

/// Every tunable that the pack's seed and moves declare, by name.
std::map<std::string, Tunable> tunablesOfPack(const TaskPack& pack);

} // namespace tilewright
