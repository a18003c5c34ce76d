// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rerun_words.h"

#include "ui/models/format.h"
#include "ui/models/score_words.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Its score with the interval, else what became of it.
QString resultWords(const EvaluationResult& result)
{
    if (result.score)
        return tr("%1, 95 % interval %2 to %3")
            .arg(times(result.score->value), times(result.score->lo), times(result.score->hi));
    const QString why = text(result.rule + (result.text.empty() ? "" : ": " + result.text));
    return result.rule.empty() ? words(result.outcome) : tr("%1 (%2)").arg(words(result.outcome), why);
}

} // namespace

QString words(Agreement agreement)
{
    switch (agreement) {
    case Agreement::NoVerdict:
        return tr("no verdict");
    case Agreement::OtherModel:
        return tr("other device");
    case Agreement::OtherShapes:
        return tr("other shapes");
    case Agreement::NotMeasured:
        return tr("no result");
    case Agreement::IsBaseline:
        return tr("baseline");
    case Agreement::Contradicts:
        return tr("contradicts");
    case Agreement::Agrees:
        return tr("agrees");
    }
    return {};
}

QString agreementWords(const RunState& run, const Candidate& candidate, const Evaluation& rerun)
{
    const RerunFinding found = findingOf(run, candidate, rerun);
    switch (found.agreement) {
    case Agreement::NoVerdict:
        return tr("A quick result, no verdict: %1.").arg(resultWords(rerun.result));
    case Agreement::OtherModel:
        return tr("Measured on another kind of device: %1. Figures of two kinds do not stand side by side.")
            .arg(resultWords(rerun.result));
    case Agreement::OtherShapes:
        return tr("Measured on none of the verdict's shapes: %1.").arg(resultWords(rerun.result));
    case Agreement::NotMeasured:
        return tr("It came to nothing, and says nothing of the candidate: %1.").arg(resultWords(rerun.result));
    case Agreement::IsBaseline:
        return tr("It is the baseline: its score is 1 by definition, and neither agrees nor contradicts. Its times on "
                  "each shape are new.");
    case Agreement::Contradicts:
    case Agreement::Agrees:
        break;
    }
    const bool agrees = found.agreement == Agreement::Agrees;
    if (!found.scores)
        return agrees ? tr("It agrees with the verdict: %1.").arg(resultWords(rerun.result))
                      : tr("It contradicts the verdict: %1 before, %2 now.")
                            .arg(words(candidate.outcome), resultWords(rerun.result));
    const auto& [before, now] = *found.scores;
    const QString figures = tr("%1 now [%2, %3], %4 before [%5, %6]")
                                .arg(times(now.value), times(now.lo), times(now.hi), times(before.value),
                                    times(before.lo), times(before.hi));
    return agrees ? tr("It agrees with the verdict: %1.").arg(figures)
                  : tr("It contradicts the verdict: %1. That is %2 apart, %3.")
                        .arg(figures, movedBy(found.disagreement->logShare()), beyondNoise(*found.disagreement));
}

QString rerunEnded(const RunState& run, const Rerun& rerun)
{
    const Candidate* candidate = run.candidate(rerun.candidate);
    const Evaluation* evaluation = run.evaluation(rerun.evaluation);
    if (!candidate || !evaluation)
        return {};
    if (isQuickResult(run, rerun))
        return tr("The quick result of %1, no verdict: %2.")
            .arg(nameOfCandidate(candidate->id), resultWords(evaluation->result));
    return tr("%1 was measured again%2. %3")
        .arg(nameOfCandidate(candidate->id), text(wordsOf(rerun)), agreementWords(run, *candidate, *evaluation));
}

QString samplesOf(const EvaluationResult& result)
{
    if (result.shapes.empty())
        return u"–"_s;
    const auto [least, most] = std::ranges::minmax(result.shapes, {}, &ShapeResult::samples);
    return least.samples == most.samples ? QString::number(most.samples)
                                         : u"%1–%2"_s.arg(least.samples).arg(most.samples);
}

} // namespace tilewright::ui
