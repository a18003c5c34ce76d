// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/dispute.h"

#include "core/base/format.h"
#include "core/model/measurement/pair_ladder.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Half the width of the logarithm's interval.
double logHalfWidth(const Interval& figure)
{
    return figure.lo > 0 && figure.hi > 0 ? std::log(figure.hi / figure.lo) / 2 : 0;
}

/// The machine's, the device's or the task's trouble, or that of what it was measured beside.
bool isNobodysFault(const std::string& rule)
{
    for (const char* whose :
        {"node/", "machine/", "device/", "task/", "protocol/", "time/unstable", "rerun/", "build/killed", "run/killed"})
        if (rule.starts_with(whose))
            return true;
    return false;
}

/// How a score stands to an earlier one, by the test that dispute.h names.
enum class Moved { Lower, Within, Higher };
Moved movedBy(const std::pair<Interval, Interval>& scores, double noise)
{
    const auto& [before, now] = scores;
    if (before.value <= 0 || now.value <= 0 || std::abs(std::log(now.value / before.value)) <= std::log1p(noise))
        return Moved::Within;
    return now.hi < before.lo ? Moved::Lower : now.lo > before.hi ? Moved::Higher : Moved::Within;
}

double marginOf(const RunState& run, const Evaluation& rerun)
{
    return rerun.result.noiseFloor > 0 ? rerun.result.noiseFloor : run.noiseFloor;
}

/// Both pairs, where the re-run was asked for beside the program that the first measurement was paired with.
std::optional<std::pair<Interval, Interval>> samePair(
    const RunState& run, const Evaluation& first, const Evaluation& rerun)
{
    const Rerun* asked = rerunOf(run, rerun.id);
    if (!asked || !asked->against || !first.against || !asked->shapes.empty()
        || originOf(run, asked->against) != originOf(run, first.against) || !first.result.versusIncumbent
        || !rerun.result.versusIncumbent || first.candidate == first.against)
        return std::nullopt;
    return std::pair(*first.result.versusIncumbent, *rerun.result.versusIncumbent);
}

std::string modelOf(const Evaluation& evaluation)
{
    const nlohmann::json& environment = evaluation.result.environment;
    return environment.is_object() ? environment.value("device", "") : "";
}

} // namespace

std::string scoreText(const Interval& score)
{
    return fixedText(score.value, 3) + " [" + fixedText(score.lo, 3) + ", " + fixedText(score.hi, 3) + "]";
}

bool isOnAnotherModel(const Evaluation& a, const Evaluation& b)
{
    return a.device != b.device && modelOf(a) != modelOf(b);
}

std::optional<std::pair<Interval, Interval>> overCommonShapes(const EvaluationResult& a, const EvaluationResult& b)
{
    struct Mean {
        double sum = 0, squares = 0;
        void add(const Interval& ratio)
        {
            sum += std::log(ratio.value);
            squares += logHalfWidth(ratio) * logHalfWidth(ratio);
        }
        Interval over(double count) const
        {
            const double half = std::sqrt(squares) / count, mean = sum / count;
            return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
        }
    } ofA, ofB;
    int count = 0;
    for (const ShapeResult& one : a.shapes) {
        const auto other = std::ranges::find(b.shapes, one.shape, &ShapeResult::shape);
        if (other == b.shapes.end() || !one.versusBaseline || !other->versusBaseline || one.versusBaseline->value <= 0
            || other->versusBaseline->value <= 0)
            continue;
        ofA.add(*one.versusBaseline);
        ofB.add(*other->versusBaseline);
        ++count;
    }
    return count > 0 ? std::optional(std::pair(ofA.over(count), ofB.over(count))) : std::nullopt;
}

std::optional<ArmsMoved> armsMoved(const EvaluationResult& first, const EvaluationResult& rerun)
{
    double candidates = 0, baselines = 0;
    int count = 0;
    for (const ShapeResult& one : first.shapes) {
        const auto other = std::ranges::find(rerun.shapes, one.shape, &ShapeResult::shape);
        if (other == rerun.shapes.end() || !one.baselineNs || !other->baselineNs || *one.baselineNs <= 0
            || *other->baselineNs <= 0 || one.candidateNs <= 0 || other->candidateNs <= 0)
            continue;
        candidates += std::log(other->candidateNs / one.candidateNs);
        baselines += std::log(*other->baselineNs / *one.baselineNs);
        ++count;
    }
    return count > 0 ? std::optional(ArmsMoved{std::exp(candidates / count), std::exp(baselines / count)})
                     : std::nullopt;
}

namespace {

bool isDrift(const EvaluationResult& first, const EvaluationResult& rerun, double noise)
{
    const auto moved = armsMoved(first, rerun);
    return moved && std::abs(std::log(moved->baseline)) > std::log1p(noise);
}

} // namespace

double Disagreement::logShare() const { return scores ? std::log(scores->second.value / scores->first.value) : 0; }

std::optional<Disagreement> disagreementOf(
    const Candidate& candidate, const EvaluationResult& rerun, double noiseFloor, const EvaluationResult* first)
{
    if (candidate.outcome == Outcome::None) // there is no verdict to contradict yet
        return std::nullopt;
    if (isNobodysFault(rerun.rule))
        return std::nullopt;
    if (candidate.outcome != rerun.outcome)
        return Disagreement{"it was " + nameOf(candidate.outcome) + " and is " + nameOf(rerun.outcome) + " now"
                + (rerun.rule.empty() ? "" : " (" + rerun.rule + ")"),
            std::nullopt, noiseFloor};
    std::optional<std::pair<Interval, Interval>> scores;
    if (first)
        scores = overCommonShapes(*first, rerun);
    else if (candidate.score && rerun.score && candidate.score->value > 0 && rerun.score->value > 0)
        scores = std::pair(*candidate.score, *rerun.score);
    if (!scores)
        return std::nullopt;
    if (movedBy(*scores, noiseFloor) != Moved::Lower)
        return std::nullopt;
    const auto& [before, now] = *scores;
    return Disagreement{(first ? "its score over the same shapes was " : "its score was ") + scoreText(before)
            + " and is " + scoreText(now) + " now",
        scores, noiseFloor};
}

std::optional<Disagreement> disagreementOf(const RunState& run, const Candidate& candidate, const Evaluation& rerun)
{
    const Evaluation* first = run.evaluation(candidate.latest);
    if (first && isOnAnotherModel(rerun, *first))
        return std::nullopt;
    const Rerun* asked = rerunOf(run, rerun.id);
    const bool hasOwnShapes = asked && !asked->shapes.empty();
    const double floor = marginOf(run, rerun);
    const auto pairs = first && candidate.outcome == rerun.result.outcome ? samePair(run, *first, rerun) : std::nullopt;
    if (pairs) {
        const Verdict before = verdictOf(pairs->first, noiseMargin(floor)),
                      now = verdictOf(pairs->second, noiseMargin(floor));
        if (now <= before) // better, neutral, worse
            return std::nullopt;
        return Disagreement{"against " + candidateName(first->against) + " it was " + nameOf(before) + ", "
                + scoreText(pairs->first) + " times its speed, and is " + nameOf(now) + " now, "
                + scoreText(pairs->second),
            pairs, noiseMargin(floor), floor <= 0};
    }
    auto found
        = disagreementOf(candidate, rerun.result, noiseMargin(floor), first && hasOwnShapes ? &first->result : nullptr);
    if (found && found->scores && first && isDrift(first->result, rerun.result, found->noise))
        return std::nullopt;
    if (found)
        found->isAssumed = floor <= 0;
    return found;
}

bool isQuickResult(const RunState& run, const Rerun& rerun)
{
    const Candidate* candidate = run.candidate(rerun.candidate);
    if (!candidate || candidate->outcome == Outcome::None)
        return candidate;
    const Evaluation* one = run.evaluation(rerun.evaluation);
    const bool hasResult = one;
    while (one && one->result.purpose == Purpose::Rerun)
        one = run.evaluation(one->before);
    // Its verdict came later: a copy has another's, which was there before.
    return hasResult && !one && rerun.evaluation < candidate->latest;
}

bool isBaseline(const RunState& run, const Candidate& candidate)
{
    const Candidate* seed = run.candidate({1});
    return seed && seed->program == candidate.program;
}

RerunFinding findingOf(const RunState& run, const Candidate& candidate, const Evaluation& rerun)
{
    RerunFinding found;
    if (candidate.outcome == Outcome::None)
        return found;
    const Evaluation* first = run.evaluation(candidate.latest);
    if (first && isOnAnotherModel(rerun, *first))
        return {Agreement::OtherModel, {}, {}, {}};
    const Rerun* asked = rerunOf(run, rerun.id);
    if (first && asked && !asked->shapes.empty())
        found.scores = overCommonShapes(first->result, rerun.result);
    else if (candidate.score && rerun.result.score)
        found.scores = std::pair(*candidate.score, *rerun.result.score);
    found.disagreement = disagreementOf(run, candidate, rerun);
    const double noise = noiseMargin(marginOf(run, rerun));
    const Moved moved = found.scores ? movedBy(*found.scores, noise) : Moved::Within;
    const bool isSettled = first && samePair(run, *first, rerun);
    if (moved == Moved::Lower && !found.disagreement && !isSettled && first)
        found.moved = armsMoved(first->result, rerun.result);
    const bool isElsewhere = first && asked && !asked->shapes.empty() && !found.scores;
    found.agreement = found.disagreement            ? Agreement::Contradicts
        : rerun.result.outcome != candidate.outcome ? Agreement::NotMeasured
        : isBaseline(run, candidate)                ? Agreement::IsBaseline
        : isElsewhere                               ? Agreement::OtherShapes
        : found.moved                               ? Agreement::Drift
        : moved == Moved::Higher && !isSettled      ? Agreement::Faster
                                                    : Agreement::Agrees;
    return found;
}

namespace {

std::optional<Dispute> disputeAmong(const RunState& run, const Candidate& candidate, EvaluationId newest)
{
    for (const Evaluation* one = run.evaluation(newest); one; one = run.evaluation(one->before))
        if (rerunOf(run, one->id))
            if (const auto found = disagreementOf(run, candidate, *one))
                return Dispute{one->id, *found};
    return std::nullopt;
}

} // namespace

CandidateId opponentOfFirst(const RunState& run, const Candidate& candidate)
{
    const Evaluation* first = run.evaluation(candidate.latest);
    const CandidateId against = first ? first->against : CandidateId{};
    return against && originOf(run, against) != originOf(run, candidate.id) ? against : CandidateId{1};
}

std::optional<Dispute> disputeOf(const RunState& run, const Candidate& candidate)
{
    if (!candidate.disputed)
        return std::nullopt;
    if (const auto own = disputeAmong(run, candidate, candidate.newest))
        return own;
    for (const Candidate& other : run.candidates) // a copy, or whom it was copied from
        if (other.disputed && other.latest == candidate.latest && other.id != candidate.id)
            if (const auto theirs = disputeAmong(run, candidate, other.newest))
                return theirs;
    return std::nullopt;
}

std::string disputeText(const RunState& run, const Candidate& candidate)
{
    if (!candidate.disputed)
        return {};
    const std::string name = candidateName(candidate.id);
    const auto dispute = disputeOf(run, candidate);
    const Evaluation* rerun = dispute ? run.evaluation(dispute->rerun) : nullptr;
    std::string text = "Disputed: a re-run of ";
    if (rerun)
        text += candidateName(rerun->candidate)
            + (rerun->candidate == candidate.id ? " (evaluation " : ", the same program (evaluation ")
            + std::to_string(rerun->id.value)
            + (rerun->against ? ", against " + candidateName(rerun->against) : std::string()) + ") contradicts "
            + (rerun->candidate == candidate.id ? "its figures" : "the figures of " + name) + ": "
            + dispute->disagreement.words;
    else
        text += name + " contradicted figures that newer ones have replaced since";
    return text + "; to decide, re-run both, paired: control FILE rerun " + name + " --against "
        + candidateName(opponentOfFirst(run, candidate)) + " --repeats " + std::to_string(pairedRepeats) + ".";
}

} // namespace tilewright
