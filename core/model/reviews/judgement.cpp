// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reviews/judgement.h"

#include "core/base/format.h"
#include "core/base/names.h"
#include "core/model/event_names.h"
#include "core/model/run_state.h"

#include <algorithm>

namespace tilewright {
namespace {

std::string verdictWords(const Judgement& judgement)
{
    switch (judgement.verdict) {
    case JudgeVerdict::Measure:
        return "worth measuring";
    case JudgeVerdict::Repeat:
        return judgement.of ? "repeats " + candidateName(judgement.of) : "duplicate of an earlier edit";
    case JudgeVerdict::Wrong:
        return "wrong";
    case JudgeVerdict::Unclear:
        break;
    }
    return "its reply contains no verdict";
}

std::string judgeOf(const ModelRequest& modelRequest)
{
    return modelRequest.answer.model.empty() ? modelRequest.model : modelRequest.answer.model;
}

std::string said(const Judgement& judgement)
{
    std::string text = verdictWords(judgement) + ".";
    if (!judgement.reason.empty())
        text += " " + judgement.reason + (judgement.reason.ends_with('.') ? "" : ".");
    if (judgement.expectedRatio > 0)
        text += " It expects " + fixedText(judgement.expectedRatio, 2) + "× the parent's speed.";
    return text;
}

} // namespace

std::string nameOf(JudgeVerdict verdict) { return nameIn(judgeVerdictNames, verdict); }

std::optional<JudgeVerdict> judgeVerdictFromName(std::string_view name)
{
    for (const JudgeVerdict verdict : {JudgeVerdict::Measure, JudgeVerdict::Repeat, JudgeVerdict::Wrong})
        if (nameOf(verdict) == name)
            return verdict;
    return std::nullopt;
}

JudgementOf judgementOf(const RunState& state, CandidateId candidate)
{
    JudgementOf found;
    for (const SteeringRequest& steering : state.steeringRequests)
        if (steering.isForJudge() && steering.isOpen() && steering.parent == candidate)
            found.waiting = &steering;
    for (std::size_t i = state.modelRequests.size(); i > 0 && !found.asked; --i) {
        const ModelRequest& modelRequest = state.modelRequests[i - 1];
        if (modelRequest.asksForJudgement() && modelRequest.parents == std::vector{candidate})
            found.asked = &modelRequest;
    }
    if (found.asked)
        for (const Judgement& judgement : state.judgements)
            if (judgement.modelRequest == found.asked->id)
                found.said = &judgement;
    return found;
}

std::string wordsOf(const RunState& state, const JudgementOf& judgement)
{
    if (judgement.waiting)
        return state.phase == events::Phase::Running
            ? "A judgement is requested when a model is free."
            : "A judgement is requested when a model is free, at the latest when the run resumes.";
    if (!judgement.asked)
        return {};
    const std::string judge = judgeOf(*judgement.asked);
    if (judgement.said)
        return "Judged by " + judge + ": " + said(*judgement.said);
    if (judgement.asked->state == ModelRequestState::Open)
        return judge + " is judging it; waiting for the reply.";
    const ModelRequestAnswer& answer = judgement.asked->answer;
    return judge + " did not judge it: " + (answer.detail.empty() ? answer.rule : answer.detail);
}

const SteeringRequest* nextJudgement(const RunState& state)
{
    const auto next = std::ranges::find_if(state.steeringRequests,
        [](const SteeringRequest& steering) { return steering.isOpen() && steering.isForJudge(); });
    return next == state.steeringRequests.end() ? nullptr : &*next;
}

Result<LogLine> applyJudgement(RunState& state, const events::Judged& e)
{
    const ModelRequest* modelRequest = state.modelRequest(e.judgement.modelRequest);
    if (!modelRequest || !state.candidate(e.judgement.candidate))
        return fail("event/unknown-id", "a judgement names an unknown request or candidate");
    state.judgements.push_back(e.judgement);
    return LogLine{0, "", "info", e.judgement.candidate,
        candidateName(e.judgement.candidate) + " judged by " + judgeOf(*modelRequest) + ": " + said(e.judgement)};
}

} // namespace tilewright
