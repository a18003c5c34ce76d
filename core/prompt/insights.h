// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has taught so far, from its statistics alone: the session's memory where no model writes one. Pure.
#pragma once

#include "core/model/run_state.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright {

/// A kind of change and what it did to speed, over every attempt that made it.
struct Insight {
    std::string name;
    int tried = 0; ///< attempts that were ranked or failed
    int failed = 0; ///< of them: did not build, did not run, or were refused
    Interval gain{1, 1, 1}; ///< geometric mean of child / parent speed of the ranked ones, 95 % interval

    bool operator==(const Insight&) const = default;
    /// The interval lies on one side of 1.
    bool isClear() const { return gain.lo > 1 || gain.hi < 1; }
};

struct Insights {
    std::vector<Insight> moves; ///< by name of the move; "-NAME" for one taken out
    std::vector<Insight> tunables; ///< "KC up", "KC down": changes of constants alone
    std::vector<Insight> ideas; ///< by the first sentence of a model's or person's reasoning
    std::map<std::string, int> failures; ///< by rule: proposals that did not apply, candidates that failed
    int measured = 0, duplicates = 0;

    bool operator==(const Insights&) const = default;
};

/// Attempts with several changes at once share their gain evenly among them, as logarithms.
Insights insightsOf(const RunState& state);

/// "+4.2 % [+2.1 %, +6.3 %] over 5 attempts, 1 failed".
std::string recordText(const Insight& insight);

/// A short summary for people and prompts: what worked, what did not, what fails. "" for a run without attempts.
std::string insightText(const RunState& state);

/// Mean of log ratios as a ratio with a 95 % interval (Student's t). One value alone has the interval [0, ∞) of which
/// nothing is known, shown as a fifth to five times. None for no value.
std::optional<Interval> meanGain(const std::vector<double>& logRatios);

} // namespace tilewright
