// SPDX-License-Identifier: GPL-3.0-or-later
// Which model to ask next. The weights a user gave are the start; what each model's edits gained for what they cost
// shifts the choice as results come in. The state is a value that is stored and shown; the randomness is counter-based,
// so a replay chooses the same. Pure.
//
// The rule: with probability weightShare(n) = floor + (1 − floor)·prior/(prior + n), n outcomes in all, a model is
// drawn by the weights alone: so weights rule at the beginning and no model with a weight ever starves. Else Thompson
// sampling (Thompson 1933; Chapelle and Li, NIPS 2011): each model's reward is drawn from its Beta posterior, times its
// weight's share, divided by its mean cost relative to the others to the power costExponent; the largest wins.
#pragma once

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/llm/model_call.h"
#include "core/model/requests/model_statistics.h"

namespace tilewright {

struct EnsembleRules {
    double prior = 12; ///< outcomes after which weights and results count alike
    double floor = 0.1; ///< share of requests that weights alone decide for ever
    double costExponent = 0.5; ///< 0: cost does not matter, 1: gain per dollar
    double gainScale = 0.05; ///< a gain of 5 % is half a reward
    int troublesToPause = 2; ///< auth or quota failures in a row
    double firstRestS = 4, longestRestS = 60; ///< a model that failed is not asked for a while, each time for longer
    double patienceS = 300; ///< one that never answered and has failed for so long is paused
    int brokenRepliesToRest = 3; ///< replies in a row that broke off; the server is alive, but something is wrong

    bool operator==(const EnsembleRules&) const = default;
};

struct EnsembleState {
    EnsembleRules rules;
    ModelStatisticsMap statisticsByModel;

    bool operator==(const EnsembleState&) const = default;
};

/// What came of one proposal of a model.
struct ModelOutcome {
    std::string model;
    double gain = 0; ///< relative to the parent: 0.05 = 5 % faster; 0 or less: nothing, also if it did not even apply
    std::optional<double> usd; ///< of all its attempts; none = unknown
    bool operator==(const ModelOutcome&) const = default;
};

struct ModelChoice {
    std::string model;
    bool byWeights = false;
    std::map<std::string, double> scores; ///< why: of each model that stood to choice
};

/// Errors: llm/no-model with each model's reason in the text: all are paused, resting or without a weight.
Result<ModelChoice> chooseModel(const EnsembleState& state, const std::map<std::string, double>& weights,
    const std::string& nowUtc, CounterRandom random);
/// The share of choices that weights alone decide now.
double weightShare(const EnsembleState& state);
/// Books a measured result.
EnsembleState after(EnsembleState state, const ModelOutcome& outcome);
/// As if a result that was booked had never been.
EnsembleState without(EnsembleState state, const ModelOutcome& outcome);
/// Books a call's end: failures of a standing kind in a row pause the model, other failures let it rest, each time for
/// longer, until patience ends and it is paused too; a rest that the server asked for is kept, an answer forgives
/// all else.
/// Calls that were under way while it rested already are not held against it again.
EnsembleState after(EnsembleState state, const ModelReply& reply, const std::string& nowUtc);
/// By a user's hand, or because the run starts again. Whether it has answered is remembered for as long as it is
/// asked at the same address (as ModelStatistics::address).
EnsembleState resumed(EnsembleState state, const std::string& model, const std::string& address);

nlohmann::json toJson(const EnsembleState& state);
/// Errors: llm/field.
Result<EnsembleState> ensembleFromJson(const nlohmann::json& json);

} // namespace tilewright
