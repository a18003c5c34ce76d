// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/decision_words.h"

#include "core/model/person_edit.h"
#include "core/model/review_kind.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// What became of it, and where the next word is wanted: keys that decide do nothing here.
QString whatBecameOf(const RunState& run, const Candidate& candidate, const QString& next)
{
    const QString state = u"%1: %2."_s.arg(nameOfCandidate(candidate.id), stateWords(run, candidate));
    return state + u' '
        + (next.isEmpty() ? DecisionBar::tr("Nothing waits for you.")
                          : DecisionBar::tr("%1 leads to what waits for you.").arg(next));
}

QString askedForReason(const WordAtHand& word)
{
    if (!word.reason.isEmpty())
        return DecisionBar::tr("Return rejects it, with this reason. Esc leaves it waiting.");
    if (word.asksReason == ReasonAsked::InVain)
        return DecisionBar::tr(
            "Not rejected without a reason: write what is wrong, then press Return. Esc leaves it waiting.");
    return word.reader == DecisionBar::Reader::Nobody
        ? DecisionBar::tr("Say in a few words what is wrong.")
        : DecisionBar::tr("Say in a few words what is wrong; prompts tell it.");
}

} // namespace

QString whyItWaits(const RunState& run, const Candidate& candidate)
{
    const Review* review = ownReview(run, candidate);
    if (!review || !review->isWaiting())
        return {};
    const QString name = nameOfCandidate(candidate.id);
    if (review->risks.empty() || reviewPolicyOf(run, candidate) == ReviewPolicy::Every)
        return run.settings.reviewPoliciesOf(candidate.island).common()
            ? DecisionBar::tr("%1 waits: all edits of its island do.").arg(name)
            : DecisionBar::tr("%1 waits: all edits of its kind of proposer do.").arg(name);
    QStringList risks;
    for (const std::string& each : review->risks)
        risks << text(each);
    return DecisionBar::tr("%1 waits: %2").arg(name, risks.join(u"; "_s));
}

QString decisionWords(const RunState& run, const Candidate& candidate, const WordAtHand& word)
{
    if (word.asksReason != ReasonAsked::No)
        return askedForReason(word);
    if (word.chosen > 1)
        return DecisionBar::tr("%1 are chosen: the word and its reason are on all of them.").arg(word.chosen);
    if (!word.waits)
        return ownReview(run, candidate) || editedFrom(run, candidate)
            ? whatBecameOf(run, candidate, word.next)
            : DecisionBar::tr("%1 asks for no decision").arg(nameOfCandidate(candidate.id));
    if (word.hasDraft)
        return DecisionBar::tr("Your edits are kept; Edit goes on with them.");
    if (word.isElsewhere)
        return DecisionBar::tr("Your word is kept. Measuring goes on only on the device of this session, which is not "
                               "on this machine.");
    if (word.reason.isEmpty())
        return DecisionBar::tr("Approving queues its measurement.");
    return word.reason == word.givenBack
        ? DecisionBar::tr("Rejecting ends it, with this reason.")
        : DecisionBar::tr("Rejecting ends it, with this reason; approving keeps it as a note.");
}

} // namespace tilewright::ui
