// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/ensemble.h"

#include "core/llm/json_access.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewright {
namespace {

/// Gamma(shape, 1) for shape ≥ 1 (Marsaglia and Tsang 2000).
double gammaOf(double shape, CounterRandom& random)
{
    const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = random.normal();
        const double v = std::pow(1.0 + c * x, 3);
        if (v > 0 && std::log(1.0 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v))
            return d * v;
    }
}

double betaOf(double successes, double failures, CounterRandom& random)
{
    const double a = gammaOf(1 + successes, random), b = gammaOf(1 + failures, random);
    return a / (a + b);
}

std::int64_t outcomes(const EnsembleState& state)
{
    std::int64_t sum = 0;
    for (const auto& [name, statistics] : state.statisticsByModel)
        sum += statistics.asked;
    return sum;
}

ModelStatistics statisticsOf(const EnsembleState& state, const std::string& model)
{
    const auto found = state.statisticsByModel.find(model);
    return found == state.statisticsByModel.end() ? ModelStatistics{} : found->second;
}

/// Mean cost against the mean of all priced ones, each drawn towards 1 by one imagined outcome; 1 where nothing is
/// known.
double relativeCost(const ModelStatistics& statistics, double mean)
{
    if (statistics.priced == 0 || mean <= 0)
        return 1;
    const double n = static_cast<double>(statistics.priced);
    return std::max((statistics.usd / mean + 1) / (n + 1), 1e-3);
}

QDateTime timeOf(const std::string& utc)
{
    return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
}

double secondsBetween(const std::string& from, const std::string& to)
{
    const QDateTime begin = timeOf(from), end = timeOf(to);
    return begin.isValid() && end.isValid() ? static_cast<double>(begin.msecsTo(end)) / 1000.0 : 0;
}

/// The same time if it is none.
std::string laterBy(const std::string& utc, double seconds)
{
    const QDateTime time = timeOf(utc);
    return time.isValid() ? time.addMSecs(static_cast<qint64>(std::min(seconds, 1e8) * 1000))
                                .toUTC()
                                .toString(Qt::ISODateWithMs)
                                .toStdString()
                          : utc;
}

void forgive(ModelStatistics& statistics)
{
    statistics.authInRow = statistics.quotaInRow = statistics.failuresInRow = 0;
    statistics.failingSinceUtc.clear();
    statistics.lastError.clear();
    statistics.restsUntilUtc.clear();
    statistics.restIsAsked = false;
}

std::string drawnByWeight(const std::vector<std::pair<std::string, double>>& open, double sum, CounterRandom& random)
{
    double left = random.uniform() * sum;
    for (const auto& [name, weight] : open) {
        left -= weight;
        if (left < 0)
            return name;
    }
    return open.back().first;
}

/// In [0, 1); of a gain that makes no sense none.
double rewardFor(double gain, const EnsembleRules& rules)
{
    const double sound = std::isfinite(gain) ? std::max(gain, 0.0) : 0.0;
    return sound / (sound + rules.gainScale);
}

} // namespace

double weightShare(const EnsembleState& state)
{
    const EnsembleRules& rules = state.rules;
    return rules.floor + (1 - rules.floor) * rules.prior / (rules.prior + static_cast<double>(outcomes(state)));
}

Result<ModelChoice> chooseModel(const EnsembleState& state, const std::map<std::string, double>& weights,
    const std::string& nowUtc, CounterRandom random)
{
    std::vector<std::pair<std::string, double>> open;
    std::string reasons;
    double sum = 0, usd = 0, priced = 0;
    for (const auto& [name, weight] : weights) {
        const ModelStatistics statistics = statisticsOf(state, name);
        std::string why;
        if (!(weight > 0))
            why = "has no weight";
        else if (!statistics.pausedBecause.empty())
            why = "is paused: " + statistics.pausedBecause;
        else if (statistics.restsUntilUtc > nowUtc) // ISO 8601 in one form sorts as time does
            why = "backs off until " + statistics.restsUntilUtc;
        if (!why.empty()) {
            reasons += (reasons.empty() ? "" : "; ") + name + " " + why;
            continue;
        }
        open.emplace_back(name, weight);
        sum += weight;
        usd += statistics.usd;
        priced += static_cast<double>(statistics.priced);
    }
    if (open.empty())
        return fail("llm/no-model", "no model is available: " + (reasons.empty() ? "no model is set up" : reasons),
            "correct the named problems, then resume: every model is then tried again");
    ModelChoice choice;
    choice.byWeights = random.uniform() < weightShare(state);
    choice.model = drawnByWeight(open, sum, random);
    double best = -1;
    const double mean = priced > 0 ? usd / priced : 0;
    for (const auto& [name, weight] : open) {
        const ModelStatistics statistics = statisticsOf(state, name);
        const double reward
            = betaOf(statistics.reward, static_cast<double>(statistics.asked) - statistics.reward, random);
        const double score = reward * weight / sum / std::pow(relativeCost(statistics, mean), state.rules.costExponent);
        choice.scores[name] = score;
        if (!choice.byWeights && score > best) {
            best = score;
            choice.model = name;
        }
    }
    return choice;
}

EnsembleState after(EnsembleState state, const ModelOutcome& outcome)
{
    ModelStatistics& statistics = state.statisticsByModel[outcome.model];
    ++statistics.asked;
    statistics.reward += rewardFor(outcome.gain, state.rules);
    if (outcome.usd) {
        statistics.usd += *outcome.usd;
        ++statistics.priced;
    }
    return state;
}

EnsembleState without(EnsembleState state, const ModelOutcome& outcome)
{
    ModelStatistics& statistics = state.statisticsByModel[outcome.model];
    statistics.asked = std::max<std::int64_t>(statistics.asked - 1, 0);
    statistics.reward = std::max(statistics.reward - rewardFor(outcome.gain, state.rules), 0.0);
    if (outcome.usd) {
        statistics.usd = std::max(statistics.usd - *outcome.usd, 0.0);
        statistics.priced = std::max<std::int64_t>(statistics.priced - 1, 0);
    }
    return state;
}

EnsembleState after(EnsembleState state, const ModelReply& reply, const std::string& nowUtc)
{
    ModelStatistics& statistics = state.statisticsByModel[reply.model];
    const std::string& refused = reply.refusedParameter;
    if (!refused.empty()
        && std::ranges::find(statistics.refusedParameters, refused) == statistics.refusedParameters.end())
        statistics.refusedParameters.push_back(refused);
    if (reply.state == ReplyState::Cancelled)
        return state;
    if (reply.state != ReplyState::Failed && reply.state != ReplyState::Incomplete) {
        statistics.hasAnswered = true;
        if (statistics.restIsAsked
            && statistics.restsUntilUtc > nowUtc) { // it was asked before the server wanted a pause
            statistics.authInRow = statistics.quotaInRow = 0;
            return state;
        }
        forgive(statistics);
        if (reply.state == ReplyState::Refused)
            statistics.lastError = reply.error.text;
        return state;
    }
    const std::string& code = reply.error.code;
    if (code == "llm/budget")
        return state; // ours, not its
    ++statistics.failedCalls;
    statistics.lastError = reply.error.text;
    const bool auth = code == "llm/auth" || code.starts_with("llm/key");
    statistics.authInRow = auth ? statistics.authInRow + 1 : 0;
    statistics.quotaInRow = code == "llm/quota" ? statistics.quotaInRow + 1 : 0;
    if (std::max(statistics.authInRow, statistics.quotaInRow) >= state.rules.troublesToPause)
        statistics.pausedBecause = reply.error.text;
    const double asked = numberAt(reply.error.evidence, "retry_after_s");
    if (!statistics.pausedBecause.empty() || (statistics.restsUntilUtc > nowUtc && !(asked > 0)))
        return state;
    ++statistics.failuresInRow;
    if (statistics.failingSinceUtc.empty())
        statistics.failingSinceUtc = nowUtc;
    if (reply.state == ReplyState::Incomplete && statistics.failuresInRow < state.rules.brokenRepliesToRest)
        return state;
    const double doubled = state.rules.firstRestS * std::pow(2.0, std::min(statistics.failuresInRow - 1, 20));
    const double rest = asked > 0 ? asked : std::min(doubled, state.rules.longestRestS);
    // An outage ends, a wrong address does not.
    if (!(asked > 0) && !statistics.hasAnswered
        && secondsBetween(statistics.failingSinceUtc, nowUtc) >= state.rules.patienceS)
        statistics.pausedBecause = std::to_string(statistics.failuresInRow)
            + (statistics.failuresInRow == 1 ? " failure: " : " failures in a row: ") + reply.error.text;
    else {
        const std::string until = laterBy(nowUtc, rest);
        statistics.restsUntilUtc = asked > 0 ? std::max(statistics.restsUntilUtc, until) : until;
        statistics.restIsAsked = asked > 0;
    }
    return state;
}

EnsembleState resumed(EnsembleState state, const std::string& model, const std::string& address)
{
    ModelStatistics& statistics = state.statisticsByModel[model];
    forgive(statistics);
    statistics.hasAnswered
        = statistics.hasAnswered && statistics.address == address; // another one may not be there at all
    statistics.pausedBecause.clear();
    return state;
}

nlohmann::json toJson(const EnsembleState& state)
{
    const EnsembleRules& rules = state.rules;
    nlohmann::json statisticsByModel = nlohmann::json::object();
    for (const auto& [name, statistics] : state.statisticsByModel)
        statisticsByModel[name] = toJson(statistics);
    return {{"rules",
                {{"prior", rules.prior}, {"floor", rules.floor}, {"cost_exponent", rules.costExponent},
                    {"gain_scale", rules.gainScale}, {"troubles_to_pause", rules.troublesToPause},
                    {"first_rest_s", rules.firstRestS}, {"longest_rest_s", rules.longestRestS},
                    {"patience_s", rules.patienceS}, {"broken_replies_to_rest", rules.brokenRepliesToRest}}},
        {"arms", std::move(statisticsByModel)}};
}

Result<EnsembleState> ensembleFromJson(const nlohmann::json& json)
{
    if (!memberOf(json, "rules").is_object() || !memberOf(json, "arms").is_object())
        return fail("llm/field", "invalid state of the ensemble: no rules or no arms");
    EnsembleState state;
    const nlohmann::json& rules = json["rules"];
    state.rules.prior = numberAt(rules, "prior", state.rules.prior);
    state.rules.floor = numberAt(rules, "floor", state.rules.floor);
    state.rules.costExponent = numberAt(rules, "cost_exponent", state.rules.costExponent);
    state.rules.gainScale = numberAt(rules, "gain_scale", state.rules.gainScale);
    state.rules.troublesToPause = static_cast<int>(numberAt(rules, "troubles_to_pause", state.rules.troublesToPause));
    state.rules.firstRestS = numberAt(rules, "first_rest_s", state.rules.firstRestS);
    state.rules.longestRestS = numberAt(rules, "longest_rest_s", state.rules.longestRestS);
    state.rules.patienceS = numberAt(rules, "patience_s", state.rules.patienceS);
    state.rules.brokenRepliesToRest
        = static_cast<int>(numberAt(rules, "broken_replies_to_rest", state.rules.brokenRepliesToRest));
    for (const auto& [name, statistics] : json["arms"].items())
        state.statisticsByModel[name] = modelStatisticsFromJson(statistics);
    return state;
}

} // namespace tilewright
