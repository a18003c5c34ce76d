// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/rerun.h"

#include "core/base/format.h"
#include "core/model/measurement/dispute.h"
#include "core/model/reviews/editing.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewright {
namespace {

std::unexpected<Error> unknown(RerunId id)
{
    return fail("event/unknown-id", "an event names the unknown re-run " + std::to_string(id.value));
}

/// Copies on other islands stand on the same figures, and so in the same doubt.
void setDisputed(RunState& state, Candidate& candidate, bool disputed)
{
    candidate.disputed = disputed;
    const EvaluationId figures = candidate.latest;
    for (std::size_t i = 0; i < state.candidates.size(); ++i)
        if (figures && state.candidates[i].latest == figures && state.candidates[i].disputed != disputed)
            state.candidates.edit(i).disputed = disputed;
}

/// "0.1 % less time"
std::string paceWords(double timeRatio)
{
    return fixedText(100 * std::abs(timeRatio - 1), 1) + (timeRatio < 1 ? " % less" : " % more") + " time";
}

} // namespace

const Rerun* newestOpenRerunOf(const RunState& state, CandidateId candidate)
{
    const auto open = std::find_if(state.reruns.rbegin(), state.reruns.rend(),
        [candidate](const Rerun& rerun) { return rerun.candidate == candidate && rerun.isOpen(); });
    return open == state.reruns.rend() ? nullptr : &*open;
}

const Rerun* openRerunOf(const RunState& state, CandidateId candidate)
{
    const auto found = std::ranges::find_if(
        state.reruns, [&](const Rerun& rerun) { return rerun.candidate == candidate && rerun.isOpen(); });
    return found == state.reruns.end() ? nullptr : &*found;
}

const Rerun* rerunOf(const RunState& state, EvaluationId evaluation)
{
    const auto found = std::ranges::find(state.reruns, evaluation, &Rerun::evaluation);
    return !evaluation || found == state.reruns.end() ? nullptr : &*found;
}

std::string wordsOf(const Rerun& rerun)
{
    std::string words;
    if (rerun.repeats > 1)
        words += ", " + std::to_string(rerun.repeats) + " times the samples";
    if (rerun.against)
        words += ", against " + candidateName(rerun.against);
    constexpr std::size_t most = 3; ///< that are named
    for (std::size_t i = 0; i < std::min(rerun.shapes.size(), most); ++i)
        words += (i == 0 ? ", on " : " and ") + shapeText(rerun.shapes[i]);
    if (rerun.shapes.size() > most)
        words += " and " + std::to_string(rerun.shapes.size() - most) + " more";
    if (!rerun.device.empty())
        words += ", on " + rerun.device;
    return words;
}

Result<LogLine> applyRerun(RunState& state, const events::RerunAsked& e)
{
    if (e.id.value != static_cast<std::int64_t>(state.reruns.size()) + 1)
        return unknown(e.id);
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    state.reruns.push_back({e.id, e.candidate, e.repeats, e.against, e.shapes, e.device, {}, false, seqOfEvent(state)});
    const std::string name = candidateName(e.candidate);
    return LogLine{0, "", "info", e.candidate,
        isQuickResult(state, state.reruns.back()) ? name + " is to have a quick result before it is decided on"
                                                  : name + " is queued for a re-run" + wordsOf(state.reruns.back())};
}

Result<LogLine> applyRerun(RunState& state, const events::RerunWithdrawn& e)
{
    const bool known = e.id.value >= 1 && static_cast<std::size_t>(e.id.value) <= state.reruns.size();
    if (!known)
        return unknown(e.id);
    Rerun& rerun = state.reruns[static_cast<std::size_t>(e.id.value - 1)];
    if (!rerun.isOpen())
        return fail("event/order", "a re-run is undone that is not open");
    rerun.withdrawn = true;
    return LogLine{0, "", "info", rerun.candidate,
        candidateName(rerun.candidate)
            + (isQuickResult(state, rerun) ? " gets no quick result: undone" : " is not re-run: undone")};
}

Result<LogLine> finishRerun(RunState& state, const Evaluation& evaluation)
{
    const EvaluationResult& result = evaluation.result;
    Candidate& candidate = state.candidates.edit(static_cast<std::size_t>(evaluation.candidate.value - 1));
    Rerun asked;
    for (Rerun& rerun : state.reruns)
        if (rerun.candidate == evaluation.candidate && rerun.isOpen()) {
            rerun.evaluation = evaluation.id;
            asked = rerun;
            break;
        }
    Rerun placed; // what is unlike the first verdict in where and on what it was measured
    placed.shapes = asked.shapes;
    placed.device = asked.device;
    const std::string where = wordsOf(placed);
    const std::string name = candidateName(candidate.id);
    const std::string figure = result.score ? "score " + scoreText(*result.score) : nameOf(result.outcome);
    const auto line = [&](const char* severity, const std::string& words) {
        return LogLine{0, "", severity, candidate.id, name + words};
    };
    const RerunFinding found = findingOf(state, candidate, evaluation);
    switch (found.agreement) {
    case Agreement::NoVerdict:
        return line("info",
            " has a quick result while it is pending review: "
                + (result.score               ? "about " + scoreText(*result.score)
                        : result.rule.empty() ? nameOf(result.outcome)
                                              : result.rule));
    case Agreement::OtherModel:
        return line(result.rule.empty() ? "info" : "warning",
            " measured again" + where + ", on another kind of device: " + figure
                + (result.rule.empty() ? "" : " (" + result.rule + " " + result.text + ")"));
    case Agreement::Contradicts:
        setDisputed(state, candidate, true);
        return line(
            "warning", " measured again" + where + " contradicts the first verdict: " + found.disagreement->words);
    case Agreement::NotMeasured:
        return line("warning",
            " could not be measured again" + where + ": " + result.rule + (asked.isAsUsual() ? "" : " " + result.text));
    case Agreement::OtherShapes:
        return line("info", " measured again" + where + ": " + figure);
    case Agreement::IsBaseline:
        return line("info",
            " measured again" + where + ": it is the baseline, whose score is 1 by definition; its times are new");
    case Agreement::Drift:
        return line("warning",
            " measured again" + where + ": " + figure
                + ", lower than before, but the machine changed: the baseline took " + paceWords(found.moved->baseline)
                + " than at that time, the candidate " + paceWords(found.moved->candidate)
                + "; neither confirms nor contradicts the first verdict");
    case Agreement::Faster:
    case Agreement::Agrees:
        break;
    }
    // The newest measurement that is as thorough as the first verdict settles what an earlier one put in doubt.
    const bool ends = candidate.disputed && asked.isAsUsual();
    if (ends)
        setDisputed(state, candidate, false);
    return line("info",
        " measured again" + where
            + (found.agreement == Agreement::Faster ? " is faster than the first verdict: "
                                                    : " agrees with the first verdict: ")
            + figure + (ends ? "; it is no longer disputed" : ""));
}

} // namespace tilewright
