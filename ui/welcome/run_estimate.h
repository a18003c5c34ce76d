// SPDX-License-Identifier: GPL-3.0-or-later
// What a new session may take: how many evaluations fit its budgets, how long it runs, what it can cost, and how large
// its file becomes. Only from what was earned: earlier sessions of the same task on the same device, prices and limits.
// Where nothing is known it says so; no figure is made up. Pure.
#pragma once

#include "ui/welcome/session_choices.h"
#include "ui/welcome/session_sketch.h"

namespace tilewright::ui {

struct EstimateLine {
    QString name, value;
    QString source; ///< what the value stands on, or what is missing

    bool operator==(const EstimateLine&) const = default;
};

/// Means over earlier sessions of the task, on devices of that kind and number, with a proposer of that kind.
struct EarnedRates {
    int sessions = 0; ///< 0: none, and nothing else is known
    std::int64_t evaluations = 0; ///< in them
    double secondsPerEvaluation = 0; ///< of running, waits included
    std::optional<double> tokensPerEvaluation; ///< where models were asked
    std::optional<double> usdPerEvaluation; ///< where the cost of all of them is known
    double bytesPerEvaluation = 0; ///< of the session's file

    bool operator==(const EarnedRates&) const = default;
};
EarnedRates earnedRates(const SessionChoices& choices, const std::vector<SessionSketch>& earlier);

/// The most that one request can cost: the dearest of the chosen models with its context full. Dollars; none where a
/// price or a context is unknown.
std::optional<double> dearestRequest(const SessionChoices& choices);

std::vector<EstimateLine> estimateOf(const SessionChoices& choices, const std::vector<SessionSketch>& earlier);

} // namespace tilewright::ui
