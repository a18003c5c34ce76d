// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/score_words.h"

#include "core/model/measurement/pair_ladder.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

/// "40.28× of c-0129, the best at that time, times 1.026 measured side by side".
QString partsOf(const Candidate& candidate, const Evaluation& screening)
{
    const auto& pair = screening.result.versusIncumbent;
    const QString other = nameOfCandidate(screening.against);
    if (!pair || pair->value <= 0)
        return tr("timed side by side with %1, the best at that time").arg(other);
    return tr("%1 of %2, the best at that time, times %3 measured side by side")
        .arg(times(candidate.score->value / pair->value), other, QString::number(pair->value, 'g', 4));
}

/// What comes of its screening. Who was clearly faster is confirmed, unless a better one was found while it waited.
QString whyNotConfirmed(const Candidate& candidate, const Evaluation& screening)
{
    if (candidate.stage == Stage::Confirming)
        return tr("to be confirmed: it is measured against the best in fresh processes when its turn comes");
    if (candidate.stage != Stage::Done || candidate.migrated) // of a copy its original decides
        return {};
    return screening.result.verdict == Verdict::Better
        ? tr("not confirmed: a better candidate became the best while it waited")
        : tr("not confirmed: not clearly faster than the best at that time");
}

} // namespace

QString howScored(const RunState& run, const Candidate& candidate)
{
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    if (!candidate.score || !evaluation)
        return {};
    const bool besideBaseline = candidate.confirmed || evaluation->against == CandidateId{1};
    QStringList lines;
    if (!besideBaseline)
        lines << tr("≈ screened, not confirmed: a short measurement, which may be too high by chance");
    lines << tr("95 % interval %1 to %2").arg(times(candidate.score->lo), times(candidate.score->hi));
    lines << (besideBaseline ? tr("timed side by side with the baseline, the seed") : partsOf(candidate, *evaluation));
    if (const std::int64_t ns = measuredNs(run, evaluation->id); ns > 0)
        lines << tr("measured after %1 of the run").arg(duration(ns));
    if (const QString why = besideBaseline ? QString() : whyNotConfirmed(candidate, *evaluation); !why.isEmpty())
        lines << why;
    return lines.join(u'\n');
}

QString heldoutWarning(const Candidate& candidate)
{
    const auto isBelowOne = [](const std::optional<Interval>& figure) { return figure && figure->hi < 1; };
    const auto isAboveOne = [](const std::optional<Interval>& figure) { return figure && figure->lo > 1; };
    if (!candidate.confirmed)
        return {};
    if (isBelowOne(candidate.heldoutScore))
        return tr("⚠ slower than the baseline on held-out shapes, which selection does not use");
    return isAboveOne(candidate.vsVendor) && isBelowOne(candidate.heldoutVsVendor)
        ? tr("⚠ faster than the vendor library on train shapes only")
        : QString();
}

QString movedBy(double logShare) { return percent(std::abs(std::expm1(logShare))); }

QString driftFigure(const ScoreDrift& drift) { return signedPercent(1 + drift.share()); }

QString driftWords(const ScoreDrift& drift)
{
    return tr("%1 scored %2 when it was confirmed, and %3 when it was timed again with %4, %5. That is %6: the "
              "baseline changed its speed, the program is the same.")
        .arg(nameOfCandidate(drift.program), times(drift.confirmed), times(drift.again), nameOfCandidate(drift.beside),
            drift.apartNs > 0 ? tr("%1 later").arg(duration(drift.apartNs)) : tr("at another time"),
            driftFigure(drift));
}

QString driftRemedy()
{
    return tr("What to do: rely on side-by-side measurements, such as the change against the parent. To compare two "
              "programs now, select one and choose “Measure again with…”, against the other. Other work on the "
              "machine, heat and a changing clock make scores drift.");
}

QString otherScaleWords(const RunState& run, const Candidate& candidate)
{
    const Candidate* best = run.best();
    const double apart = scaleApart(run, candidate);
    if (apart == 0 || !best || best->id == originOf(run, candidate.id))
        return {};
    return (apart > 0
            ? tr("Its score is %1 too high compared with side-by-side measurements against the run's best, %2 with "
                 "%3: the scores are from different times, and the baseline changed its speed. Side-by-side "
                 "measurements decide the best.")
            : tr("Its score is %1 too low compared with side-by-side measurements against the run's best, %2 with "
                 "%3: the scores are from different times, and the baseline changed its speed. Side-by-side "
                 "measurements decide the best."))
        .arg(movedBy(apart), nameOfCandidate(best->id), times(best->score));
}

QString noiseNotYet(const RunState& run)
{
    constexpr int first = 8; // NoiseRecord::measured() needs as many, and the node takes them between screenings
    int screenings = 0;
    for (std::size_t i = 0; i < run.evaluations.size() && screenings < first; ++i)
        screenings += run.evaluations[i].result.purpose == Purpose::Screen ? 1 : 0;
    return screenings < first || isSeedAwaited(run)
        ? tr("not measured yet; needs %1 timings of the best, taken between screenings").arg(first)
        : tr("not measured yet");
}

QString beyondNoise(const Disagreement& found)
{
    return (found.isAssumed
            ? tr("more than ± %1, assumed until a noise floor is measured, and the 95 % intervals do not overlap")
            : tr("more than the noise floor of ± %1, and the 95 % intervals do not overlap"))
        .arg(percent(found.noise));
}

/// The newest run of it against a chosen candidate: both were timed in turns, so the baseline has no say in it.
static QString sideBySide(const RunState& run, const Candidate& candidate)
{
    for (auto rerun = run.reruns.rbegin(); rerun != run.reruns.rend(); ++rerun) {
        const Evaluation* evaluation
            = rerun->candidate == candidate.id && rerun->against ? run.evaluation(rerun->evaluation) : nullptr;
        if (evaluation && evaluation->result.versusIncumbent)
            return tr("Run No. %1 timed it against %2: %3 of its speed.")
                .arg(evaluation->id.value)
                .arg(nameOfCandidate(rerun->against), times(*evaluation->result.versusIncumbent));
    }
    return {};
}

QString disputeWords(const RunState& run, const Candidate& candidate)
{
    if (!candidate.disputed)
        return {};
    const auto dispute = disputeOf(run, candidate);
    if (!dispute)
        return tr("Disputed: a re-run contradicted the results of that time; newer results replaced them. See Runs.");
    const auto& scores = dispute->disagreement.scores;
    const Evaluation* rerun = run.evaluation(dispute->rerun);
    const QString which = rerun && rerun->candidate != candidate.id
        ? tr("run No. %1 of %2, the same program").arg(dispute->rerun.value).arg(nameOfCandidate(rerun->candidate))
        : tr("run No. %1").arg(dispute->rerun.value);
    if (!scores)
        return tr("Disputed by %1: %2. What to do: see its finding under Runs; measure it again to decide which result "
                  "holds.")
            .arg(which, text(dispute->disagreement.words));
    const auto& [before, now] = *scores;
    const double moved = dispute->disagreement.logShare();
    QString said
        = tr("Disputed by %1: %2, before %3. The difference is %4, %5.")
              .arg(which, times(now.value), times(before.value), movedBy(moved), beyondNoise(dispute->disagreement));
    if (const auto drift = scoreDriftOf(run); drift && drift->logShare() * moved > 0)
        said += u' '
            + tr("Scores of the best candidates drifted by %1 as well: the baseline may have changed its speed, not "
                 "the program.")
                  .arg(driftFigure(*drift));
    said += u' ' + tr("Its first results stay; the mark ends when a further run agrees.") + u' ';
    const QString beside = sideBySide(run, candidate);
    return said
        + (beside.isEmpty()
                ? tr("What to do: “Re-run both, paired” measures it again with %1, its first opponent, and decides.")
                      .arg(nameOfCandidate(opponentOfFirst(run, candidate)))
                : beside + u' '
                    + tr("Rely on that result: a side-by-side measurement does not depend on the baseline."));
}

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
    case Agreement::Drift:
        return tr("machine changed");
    case Agreement::Faster:
        return tr("faster");
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
        return tr("Quick result, not a verdict: %1.").arg(resultWords(rerun.result));
    case Agreement::OtherModel:
        return tr("Measured on another kind of device: %1. Results of different devices are not comparable.")
            .arg(resultWords(rerun.result));
    case Agreement::OtherShapes:
        return tr("Measured on none of the verdict's shapes: %1.").arg(resultWords(rerun.result));
    case Agreement::NotMeasured:
        return tr("It gave no result, so it says nothing about the candidate: %1.").arg(resultWords(rerun.result));
    case Agreement::IsBaseline:
        return tr("It is the baseline: its score is 1 by definition, and neither agrees nor contradicts. Its times on "
                  "each shape are new.");
    case Agreement::Drift:
        return tr("Its score is lower, %1 before and %2 now, but the machine changed: the baseline's time moved by %3, "
                  "the candidate's by %4. This decides nothing; “Re-run both, paired” does.")
            .arg(times(found.scores->first.value), times(found.scores->second.value),
                movedBy(std::log(found.moved->baseline)), movedBy(std::log(found.moved->candidate)));
    case Agreement::Faster:
    case Agreement::Contradicts:
    case Agreement::Agrees:
        break;
    }
    const bool agrees = found.agreement != Agreement::Contradicts;
    if (!found.scores)
        return agrees ? tr("It agrees with the verdict: %1.").arg(resultWords(rerun.result))
                      : tr("It contradicts the verdict: %1 before, %2 now.")
                            .arg(words(candidate.outcome), resultWords(rerun.result));
    const auto& [before, now] = *found.scores;
    const QString figures = tr("%1 now [%2, %3], %4 before [%5, %6]")
                                .arg(times(now.value), times(now.lo), times(now.hi), times(before.value),
                                    times(before.lo), times(before.hi));
    if (found.agreement == Agreement::Faster)
        return tr("It is faster than the verdict says: %1.").arg(figures);
    if (agrees)
        return tr("It agrees with the verdict: %1.").arg(figures);
    return found.disagreement->scores != found.scores // decided by the pair
        ? tr("It contradicts the verdict: %1.").arg(text(found.disagreement->words))
        : tr("It contradicts the verdict: %1. The difference is %2, %3.")
              .arg(figures, movedBy(found.disagreement->logShare()), beyondNoise(*found.disagreement));
}

QString rerunEnded(const RunState& run, const Rerun& rerun)
{
    const Candidate* candidate = run.candidate(rerun.candidate);
    const Evaluation* evaluation = run.evaluation(rerun.evaluation);
    if (!candidate || !evaluation)
        return {};
    if (isQuickResult(run, rerun))
        return tr("Quick result of %1, not a verdict: %2.")
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
