// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/best_words.h"

#include "core/model/best.h"
#include "core/model/measurement/evidence.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/prompt/prompt_statistics.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/score_words.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <cmath>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

QString notProvenWords(const NotBest& found)
{
    const QString other = nameOfCandidate(found.against);
    const QString words = found.verdict == Verdict::Worse
        ? tr("Not the best: slower than %1, measured side by side").arg(other)
        : tr("Not the best: not measurably faster than %1, side by side").arg(other);
    const QString figures = found.ratio ? u" (%1 [%2, %3])"_s.arg(signedPercent(found.ratio->value),
                                signedPercent(found.ratio->lo), signedPercent(found.ratio->hi))
                                        : QString();
    const QString now
        = found.against == found.best ? QString() : u" "_s + tr("The best is now %1.").arg(nameOfCandidate(found.best));
    return words + figures + u'.' + now;
}

} // namespace

QString notBestWords(const RunState& run, const Candidate& candidate)
{
    const std::optional<NotBest> found = whyNotBest(run, candidate);
    if (!found)
        return {};
    switch (found->why) {
    case NotBest::Why::Banned:
        return tr("Banned, so it cannot be the best. The best is now %1.").arg(nameOfCandidate(found->best));
    case NotBest::Why::SameProgram:
        return tr("The same program as the best, %1.").arg(nameOfCandidate(found->best));
    case NotBest::Why::NotProven:
        return notProvenWords(*found);
    case NotBest::Why::Overtaken:
        return tr("It was the best earlier. The best is now %1.").arg(nameOfCandidate(found->best));
    }
    return {};
}

namespace {

/// Score, and the vendor's ratio where that was measured: "40.3× baseline, 0.97× OpenBLAS 0.3.21, Cooperlake".
QString bestFigures(const RunState& run, const Candidate& best)
{
    const QString score = tr("%1 baseline").arg(times(best.score));
    return best.vsVendor ? tr("%1, %2 %3").arg(score, times(best.vsVendor), text(vendorWordsOf(run, best))) : score;
}

} // namespace

QString newBestWords(const RunState& run, const Candidate& best)
{
    const Evaluation* evaluation = run.evaluation(best.latest);
    const CandidateId last = evaluation ? originOf(run, evaluation->against) : CandidateId{};
    const bool hasLast = last && last != CandidateId{1} && evaluation->result.versusIncumbent;
    const QString figures = bestFigures(run, best);
    return tr("%1 is the best now: %2.")
        .arg(nameOfCandidate(best.id),
            hasLast ? tr("%1, side by side %2 the previous best, %3")
                          .arg(figures, times(evaluation->result.versusIncumbent), nameOfCandidate(last))
                    : figures);
}

QString howBestIsChosen()
{
    return tr("Scores from different times differ by chance. A candidate becomes the best when it is measured side by "
              "side with the best and is faster beyond the noise.");
}

QString islandBestWords(const RunState& run, const Candidate& best)
{
    const Candidate* proven = run.best();
    QStringList lines{howScored(run, best)};
    const bool isAbove = proven && proven->score && best.score && best.score->value > proven->score->value;
    if (const QString other = otherScaleWords(run, best); !other.isEmpty())
        lines << other;
    else if (isAbove && isProvisional(best))
        lines << tr("so it may be higher than the run's confirmed best, %1 with %2")
                     .arg(nameOfCandidate(proven->id), times(proven->score));
    if (isAbove && !isProvisional(best))
        lines << notBestWords(run, best);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QString markWords(const RunState& run, const Candidate& candidate)
{
    const Marks& marks = run.marksOf(candidate.id);
    QStringList words;
    if (candidate.disputed)
        words << tr("disputed");
    if (marks.starred)
        words << tr("starred");
    if (marks.pinned)
        words << tr("pinned");
    if (marks.banned)
        words << tr("banned");
    else if (const CandidateId original = banOf(run, candidate.id))
        words << tr("banned with %1").arg(nameOfCandidate(original));
    if (marks.boost != 1)
        words << tr("boosted ×%1").arg(marks.boost);
    for (const std::string& tag : marks.tags)
        words << text(tag);
    if (!marks.note.empty())
        words << tr("note");
    return words.join(u" · "_s);
}

QString claimText(const std::string& claim)
{
    const auto ratio = claimedRatio(claim);
    return ratio ? signedPercent(*ratio) : text(claim).simplified();
}

namespace {

constexpr double asMeasured = 0.0005, far = 1; ///< as fractions: what is no difference, and what needs no figure

} // namespace

bool claimsTooMuch(const ClaimRecord& claims)
{
    return claims.measured >= enoughForAMean && claims.medianExcess >= asMeasured;
}

QString pastClaimsWords(const ClaimRecord& claims)
{
    if (claims.measured == 0)
        return {};
    const QString all = grouped(claims.measured);
    if (claims.measured < enoughForAMean)
        return tr("%1 measured, too few for a median").arg(all);
    const double apart = std::abs(claims.medianExcess);
    if (apart < asMeasured)
        return tr("as measured, median of %1").arg(all);
    const QString distance
        = apart < far ? QString::number(100 * apart, 'f', 1) : tr("more than %1").arg(std::llround(100 * far));
    return (claimsTooMuch(claims) ? tr("%1 percentage points too high, median of %2")
                                  : tr("%1 percentage points too low, median of %2"))
        .arg(distance, all);
}

} // namespace tilewright::ui
