// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has taught so far, from its statistics alone: the session's memory where no model writes one. Pure.
#pragma once

#include "core/base/result.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// A kind of change and what it did to speed. Only attempts that changed nothing else tell that; of the others nobody
/// knows which of their changes did it, so they are counted alone.
struct Insight {
    std::string name;
    int tried = 0; ///< attempts that made this change alone, and were ranked or failed
    int failed = 0; ///< of them: did not build, did not run, or were refused
    int together = 0; ///< attempts that made it along with others
    Interval gain{1, 1, 1}; ///< geometric mean of child / parent speed of the ranked ones made alone, 95 % interval

    bool operator==(const Insight&) const = default;
    bool wasMeasured() const { return tried > failed; }
    std::optional<Interval> once = {}; ///< the only ranked attempt alone, where it was beyond the noise
    bool chained = false; ///< some of the ranked ones made alone were not measured beside their parents
    /// The interval lies on one side of 1.
    bool isClear() const { return wasMeasured() && (gain.lo > 1 || gain.hi < 1); }
};

struct Insights {
    std::vector<Insight> moves; ///< by name of the move; "-NAME" for one taken out
    std::vector<Insight> tunables; ///< "KC 64 → 128": steps of constants
    std::vector<Insight> ideas; ///< by the first sentence of a model's or user's reasoning
    std::map<std::string, int> failures; ///< by rule: proposals that did not apply, candidates that failed
    int measured = 0, duplicates = 0; ///< attempts with figures; repetitions of a known program
    int unmeasured = 0; ///< attempts that did not build, did not run, or were refused

    bool operator==(const Insights&) const = default;
};

Insights insightsOf(const RunState& state);

/// "alone +4.2 % ±2.1 over 5 attempts, failed once; also part of 3 combinations".
std::string recordText(const Insight& insight);

/// Brief: what single changes did, as every prompt and the window show it. Whole: for who writes a summary of it, also
/// what was made along with other changes alone, the best program's constants, failures
/// by rule.
enum class InsightDetail { Brief, Whole };
/// A summary of the statistics: what worked, what did not. "" for a run without attempts.
/// moves: the pack's, whose titles stand beside their names.
std::string insightText(
    const RunState& state, const std::vector<Move>& moves = {}, InsightDetail detail = InsightDetail::Brief);

/// What a model wrote as the run's memory, fit to stand in every prompt from then on. Error insight/unfit: it is empty,
/// longer than a summary may be, or holds an edit or the marks of one, which later replies would take for an example.
Result<std::string> fitSummary(const std::string& reply);

/// Mean of log ratios as a ratio with a 95 % interval (Student's t). One value alone has the interval [0, ∞) of which
/// nothing is known, shown as a fifth to five times. None for no value.
std::optional<Interval> meanGain(const std::vector<double>& logRatios);

} // namespace tilewright
