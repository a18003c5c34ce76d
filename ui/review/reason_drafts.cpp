// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/reason_drafts.h"

#include "core/model/review_undo.h"
#include "ui/models/format.h"
#include "ui/review/decision_bar.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString reasonDraft = u"reason"_s; ///< kind of a draft, as Drafts::placeOf() takes it

} // namespace

ReasonDrafts::ReasonDrafts(const Desk& desk, DecisionBar& bar)
    : QObject(&bar)
    , m_desk(desk)
    , m_bar(bar)
{
    connect(&bar, &DecisionBar::reasonChanged, this, [this] { keep(); });
    connect(&desk.session, &Session::changed, this, [this] { dropSaid(); });
    connect(&desk.session, &Session::replaced, this, [this] { showOf({}); });
    connect(&desk.session, &Session::failed, this, [this] { showOf(m_candidate); });
}

QString ReasonDrafts::placeOf(CandidateId candidate) const
{
    const Candidate* of = m_desk.session.run().candidate(candidate);
    return of ? Drafts::placeOf(reasonDraft, *of) : QString();
}

void ReasonDrafts::showOf(CandidateId candidate)
{
    m_candidate = candidate;
    giveBack(text(reasonTakenBack(m_desk.session.run(), candidate)));
}

void ReasonDrafts::giveBack(const QString& reason)
{
    m_givenBack = reason;
    const QString place = placeOf(m_candidate);
    const QString shown = m_desk.drafts.contains(place) ? m_desk.drafts.text(place) : reason;
    if (shown != m_bar.reason()) // else the cursor stays where a person writes
        m_bar.setReason(shown);
}

void ReasonDrafts::empty()
{
    m_givenBack.clear();
    m_bar.setReason({});
}

void ReasonDrafts::keep()
{
    const QString place = placeOf(m_candidate);
    if (place.isEmpty())
        return;
    if (m_bar.reason() == m_givenBack)
        m_desk.drafts.drop(place);
    else
        m_desk.drafts.keep(place, m_bar.reason());
}

/// The run has them, or they are of no use any more.
void ReasonDrafts::dropSaid()
{
    if (m_desk.drafts.places(reasonDraft + u'/').isEmpty())
        return; // a snapshot comes ten times a second
    const RunState& run = m_desk.session.run();
    for (const Review& review : run.reviews) {
        if (review.isWaiting() || review.undone)
            continue;
        const QString place = placeOf(review.candidate);
        if (m_desk.drafts.contains(place)
            && (text(review.reason) == m_desk.drafts.text(place) || measuredAfter(run, review)))
            m_desk.drafts.drop(place);
    }
}

} // namespace tilewright::ui
