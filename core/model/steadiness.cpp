// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/steadiness.h"

#include "core/model/pair_ladder.h"

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

std::optional<ScoreDrift> scoreDriftOf(const RunState& run)
{
    std::optional<ScoreDrift> farthest;
    const Candidate* challenger = run.best();
    while (challenger) {
        const Evaluation* evaluation = run.evaluation(challenger->latest);
        const CandidateId held = evaluation ? originOf(run, evaluation->against) : CandidateId{};
        const Candidate* best = held < challenger->id ? run.candidate(held) : nullptr;
        if (!best || best->parents.empty() || !best->confirmed || !best->isRanked())
            break; // the seed's own score is 1 whatever happens
        const std::optional<Interval>& pair = evaluation->result.versusIncumbent;
        if (evaluation->result.purpose != Purpose::Screen && challenger->score && pair && pair->value > 0) {
            const ScoreDrift drift{
                best->id, challenger->id, best->score->value, challenger->score->value / pair->value};
            if (std::abs(drift.logShare())
                > std::max(std::log1p(scoreDriftFrom), farthest ? std::abs(farthest->logShare()) : 0))
                farthest = drift;
        }
        challenger = best;
    }
    return farthest;
}

} // namespace tilewright
