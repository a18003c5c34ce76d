// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/evaluation_figures.h"

#include "core/base/format.h"
#include "core/model/evaluation_places.h"

namespace tilewright {
namespace {

/// The verdict, and on whom: "worse than c-0021".
std::string verdictWords(const Evaluation& evaluation)
{
    const Verdict verdict = evaluation.result.verdict;
    if (verdict == Verdict::None)
        return "measured";
    if (!evaluation.against || evaluation.against == evaluation.candidate)
        return nameOf(verdict);
    const char* words = verdict == Verdict::Better ? "better than "
        : verdict == Verdict::Worse                ? "worse than "
                                                   : "no difference seen from ";
    return words + candidateName(evaluation.against);
}

} // namespace

void takeFigures(RunState& state, Candidate& candidate, const events::Evaluated& e)
{
    const EvaluationResult& result = e.evaluation.result;
    candidate.latest = e.evaluation.id;
    if (candidate.finishedNs == 0)
        candidate.finishedNs = e.runNs;
    const bool first = candidate.outcome == Outcome::None;
    if (first)
        countResult(state, candidate);
    if (!first && candidate.outcome != result.outcome)
        --state.outcomes[nameOf(candidate.outcome)];
    if (first || candidate.outcome != result.outcome)
        ++state.outcomes[nameOf(result.outcome)];
    candidate.outcome = result.outcome;
    candidate.rule = result.rule;
    candidate.text = result.text;
    candidate.verdict = result.verdict;
    candidate.versusIncumbent = result.versusIncumbent;
    candidate.score = result.score;
    if (result.purpose == Purpose::Confirm || result.purpose == Purpose::Audit) {
        candidate.confirmed = result.outcome == Outcome::Ranked;
        candidate.audited = candidate.confirmed
            && (result.purpose == Purpose::Audit
                || (result.environment.is_object() && result.environment.value("audited", false)));
        candidate.vsVendor = result.vsVendor;
        candidate.heldoutScore = result.heldoutScore;
        candidate.heldoutVsVendor = result.heldoutVsVendor;
    }
}

LogLine lineOf(const Evaluation& evaluation)
{
    const EvaluationResult& result = evaluation.result;
    const std::string name = candidateName(evaluation.candidate);
    if (result.outcome != Outcome::Ranked)
        return {0, "", "warning", evaluation.candidate,
            name + " " + nameOf(result.outcome) + ": " + result.rule
                + (result.text.empty() ? "" : " — " + result.text)};
    const std::string figures = result.score ? ", " + fixedText(result.score->value, 2) + "× baseline" : "";
    return {0, "", result.verdict == Verdict::Better ? "good" : "info", evaluation.candidate,
        name + " " + nameOf(result.purpose) + ": " + verdictWords(evaluation) + figures};
}

} // namespace tilewright
