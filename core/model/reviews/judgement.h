// SPDX-License-Identifier: GPL-3.0-or-later
// What a model said of an edit that a user asked it about: worth measuring, a repeat, wrong. It stands beside the
// edit and decides nothing.
#pragma once

#include "core/model/requests/model_request.h"

namespace tilewright {

/// Unclear: its answer held no verdict.
enum class JudgeVerdict { Measure, Repeat, Wrong, Unclear };
std::string nameOf(JudgeVerdict verdict);
/// "measure", "repeat", "wrong"; none for another word.
std::optional<JudgeVerdict> judgeVerdictFromName(std::string_view name);

struct Judgement {
    ModelRequestId modelRequest; ///< that asked for it: model, template version, tokens and cost stand there
    CandidateId candidate;
    JudgeVerdict verdict = JudgeVerdict::Unclear;
    CandidateId of; ///< which it repeats; none if it named none
    std::string reason;
    double expectedRatio = 0; ///< speed as a multiple of the parent's; 0: it named none

    bool operator==(const Judgement&) const = default;
};

struct RunState;
struct LogLine;

namespace events {
/// The answer to a question to a judge was read.
struct Judged {
    Judgement judgement;
    bool operator==(const Judged&) const = default;
};
} // namespace events

/// Where the newest question to a judge about a candidate stands; all null where nobody was asked.
struct JudgementOf {
    const SteeringRequest* waiting = nullptr; ///< not sent yet
    const ModelRequest* asked = nullptr; ///< sent, and then
    const Judgement* said = nullptr; ///< read; null while it is open, and where no whole answer came
};
JudgementOf judgementOf(const RunState& state, CandidateId candidate);
/// "Judged by m1: worth measuring. Why. It expects 1.05×." in words for a user; "" where nobody was asked.
std::string wordsOf(const RunState& state, const JudgementOf& judgement);
/// The oldest open steering request for a judge; null if there is none.
const SteeringRequest* nextJudgement(const RunState& state);

/// What apply() in run_state.h does, and what the log says of it; errors as there.
Result<LogLine> applyJudgement(RunState& state, const events::Judged& event);

} // namespace tilewright
