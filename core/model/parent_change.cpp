// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parent_change.h"

#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/steadiness.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// As it stands with the result; older sessions did not keep it there: then the device's newest one at that time. What
/// was measured before any was known goes by the first one that was: until then a margin stands in its place.
double floorThen(const RunState& run, const Evaluation& evaluation)
{
    if (evaluation.result.noiseFloor > 0)
        return evaluation.result.noiseFloor;
    const std::int64_t then = measuredNs(run, evaluation.id);
    double floor = 0;
    for (const NoisePoint& point : run.work.noise)
        if (point.runNs <= then || floor <= 0)
            floor = point.floor;
    return floor;
}

/// Without its ratio. The noise floor is that of its measurement: what the device was found to do later changes no
/// verdict that was given with one.
ParentChange changeOf(const RunState& run, const Candidate& parent, const Evaluation* evaluation)
{
    ParentChange change;
    change.parent = parent.id;
    const double floor = evaluation ? floorThen(run, *evaluation) : run.noiseFloor;
    change.noise = noiseMargin(floor);
    change.assumed = floor <= 0;
    return change;
}

/// From the scores of both, where no pairs lead from one to the other. Each of the two was timed beside something else
/// and at its own time: what the device may have drifted adds up.
Interval ratioOfScores(const Interval& score, const Interval& parentsScore, double drift)
{
    const auto width = [](const Interval& i) { return i.lo > 0 && i.hi > 0 ? std::log(i.hi / i.lo) / 2 : 0.0; };
    const double half = std::hypot(width(score), width(parentsScore), std::hypot(drift, drift));
    const double ratio = score.value / parentsScore.value;
    return {ratio, ratio * std::exp(-half), ratio * std::exp(half)};
}

Interval widened(const Interval& ratio, double by)
{
    const double below = std::hypot(std::log(ratio.value / ratio.lo), by);
    const double above = std::hypot(std::log(ratio.hi / ratio.value), by);
    return {ratio.value, ratio.value * std::exp(-below), ratio.value * std::exp(above)};
}

double clocksApart(const Evaluation* evaluation, const Evaluation* parents)
{
    return evaluation && parents ? clockDistance(evaluation->result, parents->result) : 0;
}

/// The task's baseline is the seed.
constexpr CandidateId baseline{1};

/// What may lie between two timings of different times, log: the noise, or how far the bests' scores had been seen to
/// move when it was measured.
double timesApart(ParentChange& change, const RunState& run, EvaluationId measured, double drift)
{
    const auto apart = [&](EvaluationId until) {
        const auto moved = scoreDriftOf(run, until);
        return std::max(drift, moved ? std::abs(moved->logShare()) : 0);
    };
    const double then = apart(measured);
    change.movedSince = apart({}) - then;
    return then;
}

/// Over the baseline, which is what a score is: another way round would put a second figure beside the score that
/// contradicts it. Confirming times the two side by side; screening goes by way of the best, whose own score was
/// confirmed at another time.
void compareWithBaseline(
    ParentChange& change, const RunState& run, const Evaluation& evaluation, const Interval& score, double drift)
{
    const bool isSideBySide = evaluation.result.purpose != Purpose::Screen || evaluation.against == baseline;
    change.paired = isSideBySide;
    change.pairs = isSideBySide ? 1 : 2;
    const double apart = isSideBySide ? 0 : timesApart(change, run, evaluation.id, drift);
    change.ratio = widened(score, std::hypot(apart, apart));
}

/// A change whose scores are `score` and `parentsScore`, if both are known: over all train shapes, or on one.
std::optional<ParentChange> changeBetween(const RunState& run, const Candidate& candidate, const Candidate& parent,
    const std::optional<Interval>& score, const std::optional<Interval>& parentsScore, const Shape* shape)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    ParentChange change = changeOf(run, parent, evaluation);
    const double drift = std::log1p(change.noise);
    const auto isThere = [](const std::optional<Interval>& figure) { return figure && figure->value > 0; };
    const bool isOverBaseline = originOf(run, parent.id) == baseline && originOf(run, candidate.id) != baseline;
    if (isOverBaseline && evaluation && evaluation->against && isThere(score) && score->lo > 0) {
        compareWithBaseline(change, run, *evaluation, *score, drift);
    } else if (const auto speed = speedByPairs(run, candidate, parent, drift, shape)) {
        change.ratio = speed->ratio;
        change.pairs = speed->pairs;
        change.paired = speed->pairs == 1;
    } else if (isThere(score) && isThere(parentsScore)) {
        const EvaluationId newer = std::max(candidate.latest, parent.latest);
        change.ratio = ratioOfScores(*score, *parentsScore, timesApart(change, run, newer, drift));
    } else {
        return std::nullopt;
    }
    if (change.paired)
        return change;
    change.clocks = clocksApart(evaluation, run.evaluation(parent.latest));
    change.ratio = widened(change.ratio, change.clocks);
    return change;
}

/// What a copy is a copy of; all others themselves.
const Candidate& madeAs(const RunState& run, const Candidate& candidate)
{
    const Candidate* origin = candidate.migrated ? run.candidate(originOf(run, candidate.id)) : nullptr;
    return origin ? *origin : candidate;
}

} // namespace

bool ParentChange::isWithinNoise() const { return verdictOf(ratio, noise) == Verdict::Neutral; }

std::optional<ParentChange> versusOther(const RunState& run, const Candidate& shown, CandidateId other)
{
    const Candidate& candidate = madeAs(run, shown);
    const Candidate* over = run.candidate(other);
    if (!over || !candidate.isRanked() || !over->isRanked() || originOf(run, other) == candidate.id)
        return std::nullopt;
    return changeBetween(run, candidate, *over, candidate.score, over->score, nullptr);
}

CandidateId rankedAncestor(const RunState& run, const Candidate& candidate)
{
    const Candidate* at = &candidate;
    do
        at = at->parents.empty() ? nullptr : run.candidate(at->parents.front());
    while (at && !at->isRanked() && at->stage == Stage::Done);
    return at ? at->id : CandidateId{};
}

std::optional<ParentChange> versusParent(const RunState& run, const Candidate& shown)
{
    const Candidate& candidate = madeAs(run, shown);
    return versusOther(run, candidate, rankedAncestor(run, candidate));
}

std::optional<ParentChange> versusParentOr(const RunState& run, const Candidate& candidate, CandidateId reference)
{
    return reference ? versusOther(run, candidate, reference) : versusParent(run, candidate);
}

std::optional<ParentChange> versusParentOn(const RunState& run, const Candidate& shown, const Shape& shape)
{
    const Candidate& candidate = madeAs(run, shown);
    const Candidate* parent = run.candidate(rankedAncestor(run, candidate));
    const ShapeResult* here = toldOn(run, candidate, shape);
    const ShapeResult* there = parent ? toldOn(run, *parent, shape) : nullptr;
    if (!here || !there || !candidate.isRanked() || !parent->isRanked())
        return std::nullopt;
    return changeBetween(run, candidate, *parent, here->versusBaseline, there->versusBaseline, &shape);
}

} // namespace tilewright
