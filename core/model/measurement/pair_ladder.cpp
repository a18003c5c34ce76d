// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/pair_ladder.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// A program on the way down, and how much faster the ladder's top is: log, with the variances of the rungs so far to
/// either side, as intervals need not be symmetric.
struct Rung {
    CandidateId program;
    double logSpeed = 0, below = 0, above = 0;
};

constexpr std::size_t longestLadder = 256; ///< rungs; a run has far fewer bests

double squared(double value) { return value * value; }

/// The pair that leads one rung down: who it was timed beside, and how much faster it is.
std::optional<std::pair<CandidateId, Interval>> pairOf(
    const RunState& run, const Candidate& candidate, const Shape* shape)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    if (!evaluation)
        return std::nullopt;
    const ShapeResult* there = shape ? toldOn(run, candidate, *shape) : nullptr;
    const std::optional<Interval> pair = !shape ? evaluation->result.versusIncumbent
        : there                                 ? there->versusIncumbent
                                                : std::nullopt;
    if (!pair || pair->lo <= 0 || pair->value <= 0)
        return std::nullopt;
    return std::pair{originOf(run, evaluation->against), *pair};
}

std::vector<Rung> ladderOf(const RunState& run, CandidateId top, const Shape* shape)
{
    std::vector<Rung> ladder{{top}};
    while (ladder.size() < longestLadder) {
        const Rung last = ladder.back();
        const Candidate* candidate = run.candidate(last.program);
        const auto pair = candidate ? pairOf(run, *candidate, shape) : std::nullopt;
        if (!pair || std::ranges::find(ladder, pair->first, &Rung::program) != ladder.end())
            return ladder;
        const auto& [program, speed] = *pair;
        ladder.push_back(
            {program, last.logSpeed + std::log(speed.value), last.below + squared(std::log(speed.value / speed.lo)),
                last.above + squared(std::log(speed.hi / speed.value))});
    }
    return ladder;
}

} // namespace

CandidateId originOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    while (
        candidate && candidate->migrated && !candidate->parents.empty() && candidate->parents.front() < candidate->id)
        candidate = state.candidate(candidate->parents.front());
    return candidate ? candidate->id : id;
}

const ShapeResult* toldOn(const RunState& run, const Candidate& candidate, const Shape& shape)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    if (!evaluation)
        return nullptr;
    const auto found = std::ranges::find(evaluation->result.shapes, shape, &ShapeResult::shape);
    return found == evaluation->result.shapes.end() || (found->split == ShapeSplit::Heldout && !candidate.confirmed)
        ? nullptr
        : &*found;
}

std::optional<Interval> sideBySide(
    const RunState& run, const Candidate& candidate, CandidateId over, const Shape* shape)
{
    const CandidateId other = originOf(run, over);
    if (other == originOf(run, candidate.id))
        return std::nullopt;
    if (const auto pair = pairOf(run, candidate, shape); pair && pair->first == other)
        return pair->second;
    for (const Evaluation* one = run.evaluation(candidate.newest); one; one = run.evaluation(one->before)) {
        const auto& pair = one->result.versusParent;
        if (!pair || originOf(run, pair->parent) != other)
            continue;
        if (!shape)
            return pair->ratio;
        const auto found = std::ranges::find(pair->shapes, *shape, &std::pair<Shape, Interval>::first);
        return found == pair->shapes.end() ? std::nullopt : std::optional(found->second);
    }
    return std::nullopt;
}

std::optional<PairedSpeed> speedByPairs(
    const RunState& run, const Candidate& candidate, const Candidate& over, double drift, const Shape* shape)
{
    if (const auto ratio = sideBySide(run, candidate, over.id, shape))
        return PairedSpeed{*ratio, 1};
    const CandidateId bottom = originOf(run, over.id);
    const std::vector<Rung> own = ladderOf(run, originOf(run, candidate.id), shape);
    const std::vector<Rung> others = ladderOf(run, bottom, shape);
    for (std::size_t down = 0; down < own.size(); ++down) {
        const auto meeting = std::ranges::find(others, own[down].program, &Rung::program);
        if (meeting == others.end())
            continue;
        PairedSpeed speed;
        speed.pairs = static_cast<int>(down) + static_cast<int>(meeting - others.begin());
        const double ratio = own[down].logSpeed - meeting->logSpeed;
        const double moved = speed.pairs > 1 ? speed.pairs * drift * drift : 0;
        const double below = std::sqrt(own[down].below + meeting->above + moved);
        const double above = std::sqrt(own[down].above + meeting->below + moved);
        speed.ratio = {std::exp(ratio), std::exp(ratio - below), std::exp(ratio + above)};
        return speed;
    }
    return std::nullopt;
}

} // namespace tilewright
