// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parent_change.h"

#include "core/model/steadiness.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Without its ratio.
ParentChange changeOf(const RunState& run, const Candidate& candidate, const Evaluation* evaluation)
{
    ParentChange change;
    change.parent = candidate.parents.front();
    const double measured = evaluation ? evaluation->result.noiseFloor : 0;
    change.noise = noiseMargin(measured > 0 ? measured : run.noiseFloor);
    return change;
}

/// From the scores of both. Each of the two was timed beside something else and in its own hour: what the device may
/// have drifted adds up.
void compareScores(ParentChange& change, const Interval& score, const Interval& parentsScore)
{
    const auto width = [](const Interval& i) { return i.lo > 0 && i.hi > 0 ? std::log(i.hi / i.lo) / 2 : 0.0; };
    const double drift = std::log1p(change.noise);
    const double half = std::hypot(width(score), width(parentsScore), std::hypot(drift, drift, change.clocks));
    const double ratio = score.value / parentsScore.value;
    change.ratio = {ratio, ratio * std::exp(-half), ratio * std::exp(half)};
}

double clocksApart(const Evaluation* evaluation, const Evaluation* parents)
{
    return evaluation && parents ? clockDistance(evaluation->result, parents->result) : 0;
}

const ShapeResult* resultOn(const Evaluation* evaluation, const Candidate& candidate, const Shape& shape)
{
    if (!evaluation)
        return nullptr;
    const auto found = std::ranges::find(evaluation->result.shapes, shape, &ShapeResult::shape);
    return found == evaluation->result.shapes.end() || (found->split == ShapeSplit::Heldout && !candidate.confirmed)
        ? nullptr
        : &*found;
}

} // namespace

bool ParentChange::isWithinNoise() const { return verdictOf(ratio, noise) == Verdict::Neutral; }

std::optional<ParentChange> versusParent(const RunState& run, const Candidate& candidate)
{
    if (candidate.parents.empty() || !candidate.isRanked())
        return std::nullopt;
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    ParentChange change = changeOf(run, candidate, evaluation);
    if (evaluation && evaluation->against == change.parent && evaluation->result.versusIncumbent) {
        change.ratio = *evaluation->result.versusIncumbent;
        change.paired = true;
        return change;
    }
    const Candidate* parent = run.candidate(change.parent);
    if (!parent || !parent->isRanked() || parent->score->value <= 0 || candidate.score->value <= 0)
        return std::nullopt;
    change.clocks = clocksApart(evaluation, run.evaluation(parent->latest));
    compareScores(change, *candidate.score, *parent->score);
    return change;
}

std::optional<ParentChange> versusParentOn(const RunState& run, const Candidate& candidate, const Shape& shape)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    const ShapeResult* here = resultOn(evaluation, candidate, shape);
    if (candidate.parents.empty() || !candidate.isRanked() || !here)
        return std::nullopt;
    ParentChange change = changeOf(run, candidate, evaluation);
    if (evaluation->against == change.parent && here->versusIncumbent) {
        change.ratio = *here->versusIncumbent;
        change.paired = true;
        return change;
    }
    const Candidate* parent = run.candidate(change.parent);
    const Evaluation* before = parent && parent->isRanked() ? run.evaluation(parent->latest) : nullptr;
    const ShapeResult* there = before ? resultOn(before, *parent, shape) : nullptr;
    const auto isThere = [](const std::optional<Interval>& figure) { return figure && figure->value > 0; };
    if (!there || !isThere(here->versusBaseline) || !isThere(there->versusBaseline))
        return std::nullopt;
    change.clocks = clocksApart(evaluation, before);
    compareScores(change, *here->versusBaseline, *there->versusBaseline);
    return change;
}

} // namespace tilewright
