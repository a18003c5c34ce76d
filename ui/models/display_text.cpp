// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/display_text.h"

#include "core/base/format.h"
#include "core/model/requests/model_request.h"
#include "core/model/reviews/review_queue.h"
#include "ui/theme/words.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

const QString none = u"–"_s;

} // namespace

QString nameOfCandidate(CandidateId id) { return id ? text(candidateName(id)) : none; }

QString namesOfParents(const std::vector<CandidateId>& parents)
{
    QStringList names;
    for (const CandidateId parent : parents)
        names << nameOfCandidate(parent);
    return names.isEmpty() ? u"–"_s : names.join(u" × "_s);
}

QString times(double factor) { return text(ratioText(factor)); }

QString times(const std::optional<Interval>& figure) { return figure ? times(figure->value) : none; }

QString signedPercent(double ratio) { return text(changeText(ratio)); }

QString percent(double fraction) { return text(percentText(fraction)); }

QString halfWidth(const Interval& figure)
{
    const double half = (figure.hi - figure.lo) / 2;
    return u"± "_s + text(fixedText(half, half >= 10 ? 0 : 2));
}

QString grouped(std::int64_t number) { return text(groupedText(number)); }

QString beginningOf(const QString& words, qsizetype most)
{
    if (words.size() <= most)
        return words;
    const QString head = words.left(most);
    return head.left(std::max<qsizetype>(head.lastIndexOf(u' '), most / 2)) + u'…';
}

QString keptTogether(QString words)
{
    constexpr QChar space(QChar::Nbsp);
    words.replace(u"± "_s, u"±"_s + space);
    for (qsizetype at = words.indexOf(u' '); at >= 0; at = words.indexOf(u' ', at + 1))
        if (at > 0 && words[at - 1].isDigit() && at + 1 < words.size()
            && (words[at + 1] == u'%' || words[at + 1] == u'×'))
            words[at] = space;
    return words;
}

QString phrasesTogether(const QString& words)
{
    constexpr qsizetype longest = 22; // characters
    QStringList phrases = keptTogether(words).split(u", "_s);
    for (QString& phrase : phrases)
        if (phrase.size() <= longest)
            phrase.replace(u' ', QChar(QChar::Nbsp));
    return phrases.join(u", "_s);
}

QString counted(std::int64_t number, const QString& one, const QString& many)
{
    return (number == 1 ? one : many).arg(grouped(number));
}

QString shortTime(double ns) { return text(durationText(ns, 3)); }

QString duration(std::int64_t ns) { return text(elapsedText(std::chrono::nanoseconds(ns))); }

QString tookTime(std::int64_t ns) { return text(timeText(std::chrono::nanoseconds(ns))); }

QString clockTime(const std::string& utc)
{
    const QDateTime time = QDateTime::fromString(text(utc), Qt::ISODateWithMs);
    return time.isValid() ? time.toLocalTime().toString(u"HH:mm:ss"_s) : QString();
}

QString vendorWords(const std::string& vendor)
{
    return vendor == "cublaslt"         ? u"cuBLASLt"_s
        : vendor == "openblas-sgemm-1t" ? tr("OpenBLAS, one thread")
                                        : text(vendor);
}

QString bytes(double number) { return text(bytesText(number)); }

QString rate(double gigaflops) { return text(rateText(gigaflops)); }

QString words(ReviewPolicy policy)
{
    switch (policy) {
    case ReviewPolicy::Automatic:
        return tr("Automatic");
    case ReviewPolicy::Risky:
        return tr("Risky edits");
    case ReviewPolicy::Every:
        return tr("Every edit");
    }
    return {};
}

QString words(ProposerKind kind)
{
    switch (kind) {
    case ProposerKind::Mutator:
        return tr("Mutator");
    case ProposerKind::Tuner:
        return tr("Tuner");
    case ProposerKind::Random:
        return tr("Random search");
    case ProposerKind::Model:
        return tr("Models");
    case ProposerKind::Manual:
        return tr("Manual replies");
    case ProposerKind::Replay:
        return tr("Recorded replies");
    }
    return {};
}

QString words(const ReviewPolicies& policies)
{
    if (const auto common = policies.common())
        return words(*common);
    QStringList parts;
    for (const ReviewPolicy policy : {ReviewPolicy::Automatic, ReviewPolicy::Risky, ReviewPolicy::Every}) {
        QStringList kinds;
        for (const ProposerKind kind : proposerKinds)
            if (policies.of(kind) == policy)
                kinds << words(kind).toLower();
        if (!kinds.isEmpty())
            parts << tr("%1: %2.").arg(words(policy), kinds.join(u", "_s));
    }
    return parts.join(u' ');
}

QString words(Outcome outcome)
{
    switch (outcome) {
    case Outcome::None:
        return tr("not measured");
    case Outcome::Ranked:
        return tr("ranked");
    case Outcome::Unranked:
        return tr("unranked");
    case Outcome::Quarantined:
        return tr("quarantined");
    case Outcome::Refused:
        return tr("refused");
    case Outcome::BuildFailed:
        return tr("build failed");
    case Outcome::RunFailed:
        return tr("run failed");
    }
    return {};
}

QString words(Stage stage)
{
    switch (stage) {
    case Stage::Queued:
        return tr("queued");
    case Stage::Building:
        return tr("building");
    case Stage::Checking:
        return tr("checking");
    case Stage::Screening:
        return tr("screening");
    case Stage::Confirming:
        return tr("confirming");
    case Stage::Review:
        return tr("pending review");
    case Stage::Rejected:
        return tr("rejected");
    case Stage::Done:
        return tr("done");
    }
    return {};
}

QString words(Verdict verdict)
{
    switch (verdict) {
    case Verdict::None:
        return none;
    case Verdict::Better:
        return tr("better");
    case Verdict::Neutral:
        return tr("neutral");
    case Verdict::Worse:
        return tr("worse");
    }
    return {};
}

QString words(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Screen:
        return tr("screening");
    case Purpose::Confirm:
        return tr("confirming");
    case Purpose::Rerun:
        return tr("re-run");
    case Purpose::Audit:
        return tr("audit");
    case Purpose::Noise:
        return tr("noise floor");
    case Purpose::Export:
        return tr("export");
    case Purpose::Parent:
        return tr("against the parent");
    }
    return {};
}

QString words(Focus focus)
{
    switch (focus) {
    case Focus::Explore:
        return tr("explore");
    case Focus::Exploit:
        return tr("exploit");
    case Focus::Crossover:
        return tr("crossover");
    case Focus::Repair:
        return tr("repair");
    case Focus::Rewrite:
        return tr("rewrite");
    case Focus::Tune:
        return tr("tune");
    }
    return {};
}

QString words(CallPurpose purpose)
{
    switch (purpose) {
    case CallPurpose::Propose:
        return tr("proposal");
    case CallPurpose::Translate:
        return tr("translation");
    case CallPurpose::Repair:
        return words(Focus::Repair);
    case CallPurpose::Rewrite:
        return words(Focus::Rewrite);
    case CallPurpose::Summary:
        return tr("summary");
    case CallPurpose::Judge:
        return tr("judgement");
    }
    return {};
}

QString asksFor(const ModelRequest& modelRequest)
{
    const CallPurpose purpose = purposeOf(modelRequest);
    return purpose == CallPurpose::Propose ? words(modelRequest.focus) : words(purpose);
}

QString stateWords(const Candidate& candidate)
{
    if (isEditedByPerson(candidate))
        return tr("edited by you");
    if (candidate.takenBack)
        return tr("undone");
    if (candidate.confirmed)
        return candidate.disputed ? tr("disputed") : tr("confirmed");
    if (candidate.isRanked())
        return candidate.stage == Stage::Confirming ? tr("to be confirmed") : tr("provisional");
    return candidate.outcome == Outcome::None ? words(candidate.stage) : words(candidate.outcome);
}

} // namespace tilewright::ui
