// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rerun.h"

#include "core/model/run_state.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Half the width of the logarithm's interval.
double logHalfWidth(const Interval& figure)
{
    return figure.lo > 0 && figure.hi > 0 ? std::log(figure.hi / figure.lo) / 2 : 0;
}

std::string scoreText(const Interval& score)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", score.value, score.lo, score.hi);
    return text;
}

std::unexpected<Error> unknown(RerunId id)
{
    return fail("event/unknown-id", "an event names the unknown re-run " + std::to_string(id.value));
}

} // namespace

const Rerun* openRerunOf(const RunState& state, CandidateId candidate)
{
    const auto found = std::ranges::find_if(
        state.reruns, [&](const Rerun& rerun) { return rerun.candidate == candidate && rerun.isOpen(); });
    return found == state.reruns.end() ? nullptr : &*found;
}

std::string disagreement(const Candidate& candidate, const EvaluationResult& rerun, double noiseFloor)
{
    if (candidate.outcome == Outcome::None) // there is no verdict to contradict yet
        return {};
    if (rerun.rule.starts_with("node/") || rerun.rule.starts_with("machine/"))
        return {};
    if (candidate.outcome != rerun.outcome)
        return "it was " + nameOf(candidate.outcome) + " and is " + nameOf(rerun.outcome) + " now"
            + (rerun.rule.empty() ? "" : " (" + rerun.rule + ")");
    if (!candidate.score || !rerun.score || candidate.score->value <= 0 || rerun.score->value <= 0)
        return {};
    const double apart = std::abs(std::log(rerun.score->value / candidate.score->value));
    const double allowed = std::hypot(logHalfWidth(*candidate.score), logHalfWidth(*rerun.score));
    if (apart <= std::log1p(noiseFloor) || apart <= allowed)
        return {};
    return "its score was " + scoreText(*candidate.score) + " and is " + scoreText(*rerun.score) + " now";
}

Result<LogLine> applyRerun(RunState& state, const events::RerunAsked& e)
{
    if (e.id.value != static_cast<std::int64_t>(state.reruns.size()) + 1)
        return unknown(e.id);
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    state.reruns.push_back({e.id, e.candidate, e.repeats, e.against, {}, false});
    return LogLine{0, "", "info", e.candidate,
        candidateName(e.candidate) + " is to be measured again"
            + (e.repeats > 1 ? ", with " + std::to_string(e.repeats) + " times the samples" : "")
            + (e.against ? ", against " + candidateName(e.against) : "")};
}

Result<LogLine> applyRerun(RunState& state, const events::RerunWithdrawn& e)
{
    const bool known = e.id.value >= 1 && static_cast<std::size_t>(e.id.value) <= state.reruns.size();
    if (!known)
        return unknown(e.id);
    Rerun& rerun = state.reruns[static_cast<std::size_t>(e.id.value - 1)];
    if (!rerun.isOpen())
        return fail("event/order", "a re-run is taken back that is not open");
    rerun.withdrawn = true;
    return LogLine{0, "", "info", rerun.candidate, candidateName(rerun.candidate) + " is not measured again after all"};
}

Result<LogLine> finishRerun(RunState& state, const Evaluation& evaluation)
{
    const EvaluationResult& result = evaluation.result;
    Candidate& candidate = state.candidates.edit(static_cast<std::size_t>(evaluation.candidate.value - 1));
    for (Rerun& rerun : state.reruns)
        if (rerun.candidate == evaluation.candidate && rerun.isOpen()) {
            rerun.evaluation = evaluation.id;
            break;
        }
    const std::string name = candidateName(candidate.id);
    if (candidate.outcome == Outcome::None)
        return LogLine{0, "", "info", candidate.id,
            name + " measured quickly while it waits for a word: "
                + (result.score               ? "about " + scoreText(*result.score)
                        : result.rule.empty() ? nameOf(result.outcome)
                                              : result.rule)};
    const double noise = noiseMargin(result.noiseFloor > 0 ? result.noiseFloor : state.noiseFloor);
    if (const std::string why = disagreement(candidate, result, noise); !why.empty()) {
        candidate.disputed = true;
        return LogLine{0, "", "warning", candidate.id, name + " measured again contradicts the first verdict: " + why};
    }
    if (result.outcome != candidate.outcome)
        return LogLine{0, "", "warning", candidate.id, name + " could not be measured again: " + result.rule};
    return LogLine{0, "", "info", candidate.id,
        name + " measured again agrees with the first verdict"
            + (result.score ? ": score " + scoreText(*result.score) : ": " + nameOf(result.outcome))};
}

} // namespace tilewright
