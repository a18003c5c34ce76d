// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/steadiness.h"

#include "core/model/measurement/pair_ladder.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Timings at either end that their median is taken of: one odd one among them changes little.
constexpr std::size_t clocksAtAnEnd = 5;
/// Evaluations that are looked through for them: those that failed before any timing have no clock.
constexpr std::size_t farthestEvaluation = 64;

double medianClock(std::vector<double> clocks)
{
    std::ranges::sort(clocks);
    return clocks[clocks.size() / 2];
}

/// Of one end: the clocks by device, as far as they are to be taken.
using ClocksByDevice = std::map<std::string, std::vector<double>>;

void takeClock(ClocksByDevice& clocks, const Evaluation& evaluation)
{
    std::vector<double>& known = clocks[evaluation.device];
    if (known.size() >= clocksAtAnEnd)
        return;
    if (const auto clock = clockOf(evaluation.result))
        known.push_back(*clock);
}

} // namespace

std::optional<double> clockOf(const EvaluationResult& result)
{
    const nlohmann::json& told = result.environment;
    const auto mhz = told.is_object() ? told.find("mhz") : told.end();
    if (!told.is_object() || mhz == told.end() || !mhz->is_array() || mhz->size() != 2 || !mhz->at(0).is_number()
        || !mhz->at(1).is_number())
        return std::nullopt;
    const double low = mhz->at(0), high = mhz->at(1);
    const double clock = told.contains("measuring_core") ? high : (low + high) / 2;
    return low > 0 && clock >= low ? std::optional(clock) : std::nullopt;
}

double clockDistance(const EvaluationResult& one, const EvaluationResult& other)
{
    const auto here = clockOf(one), there = clockOf(other);
    if (!here || !there)
        return 0;
    const double distance = std::abs(std::log(*here / *there));
    return distance > std::log1p(clockDriftFrom) ? distance : 0;
}

std::optional<ClockDrift> clockDriftOf(const RunState& run)
{
    const std::size_t count = run.evaluations.size(), end = std::min(count / 2, farthestEvaluation);
    ClocksByDevice first, newest;
    for (std::size_t i = 0; i < end; ++i) {
        takeClock(first, run.evaluations[i]);
        takeClock(newest, run.evaluations[count - 1 - i]);
    }
    std::optional<ClockDrift> farthest;
    for (const auto& [device, clocks] : newest) {
        const auto began = first.find(device);
        if (clocks.size() < clocksAtAnEnd || began == first.end() || began->second.size() < clocksAtAnEnd)
            continue;
        const ClockDrift drift{device, medianClock(began->second), medianClock(clocks)};
        if (std::abs(drift.share()) > std::max(clockDriftFrom, farthest ? std::abs(farthest->share()) : 0))
            farthest = drift;
    }
    return farthest;
}

double ScoreDrift::logShare() const { return std::log(again / confirmed); }

std::optional<ScoreDrift> scoreDriftBeside(const RunState& run, CandidateId challenger)
{
    const Candidate* newer = run.candidate(challenger);
    const Evaluation* evaluation = newer ? run.evaluation(newer->latest) : nullptr;
    if (!evaluation || !newer->score || evaluation->result.purpose == Purpose::Screen)
        return std::nullopt;
    const CandidateId held = originOf(run, evaluation->against);
    const Candidate* best = held != challenger ? run.candidate(held) : nullptr;
    if (!best || best->parents.empty() || !best->confirmed || !best->isRanked())
        return std::nullopt;
    const std::optional<Interval>& pair = evaluation->result.versusIncumbent;
    if (!pair || pair->value <= 0)
        return std::nullopt;
    return ScoreDrift{best->id, challenger, best->score->value, newer->score->value / pair->value,
        timeApart(run, best->latest, newer->latest)};
}

std::optional<ScoreDrift> scoreDriftOf(const RunState& run, EvaluationId until)
{
    std::optional<ScoreDrift> farthest;
    for (const CandidateId challenger : run.incumbents) {
        const Candidate* candidate = run.candidate(challenger);
        if (!candidate || (until && until < candidate->latest))
            continue;
        const auto drift = scoreDriftBeside(run, challenger);
        if (drift
            && std::abs(drift->logShare())
                > std::max(std::log1p(scoreDriftFrom), farthest ? std::abs(farthest->logShare()) : 0))
            farthest = drift;
    }
    return farthest;
}

double scaleApart(const RunState& run, const Candidate& candidate)
{
    const Candidate* best = run.best();
    if (!best || !best->score || !candidate.score || best->score->value <= 0 || candidate.score->value <= 0)
        return 0;
    const auto speed = speedByPairs(run, candidate, *best, 0);
    if (!speed || speed->ratio.value <= 0)
        return 0;
    const double apart = std::log(candidate.score->value / best->score->value / speed->ratio.value);
    return std::abs(apart) > std::log1p(scoreDriftFrom) ? apart : 0;
}

std::int64_t measuredNs(const RunState& run, EvaluationId evaluation)
{
    const Evaluation* measured = run.evaluation(evaluation);
    if (!measured)
        return 0;
    const auto& seen = run.work.conditions; // in the order of results, which is that of their numbers
    std::size_t first = 0, end = seen.size();
    while (first < end)
        if (const std::size_t middle = first + (end - first) / 2; seen[middle].evaluation < evaluation)
            first = middle + 1;
        else
            end = middle;
    if (first < seen.size() && seen[first].evaluation == evaluation)
        return seen[first].runNs;
    const Candidate* candidate = run.candidate(measured->candidate);
    const bool isScreening = measured->result.purpose == Purpose::Screen;
    return candidate && isScreening ? candidate->finishedNs : 0;
}

std::int64_t timeApart(const RunState& run, EvaluationId one, EvaluationId other)
{
    const std::int64_t here = measuredNs(run, one), there = measuredNs(run, other);
    return here && there ? std::abs(here - there) : 0;
}

} // namespace tilewright
