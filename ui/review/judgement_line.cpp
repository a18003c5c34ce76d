// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/judgement_line.h"

#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

JudgementLine::JudgementLine(const Desk& desk, QWidget* parent)
    : ShortenedText(u"reviewJudged"_s, parent)
    , m_desk(desk)
{
    label().setProperty("tone", u"secondary"_s);
    setVisible(false);
    connect(&desk.session, &Session::failed, this, [this](const QString&, const QString& words, const QString& hint) {
        if (!std::exchange(m_isAsking, false))
            return;
        m_refused = hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint);
        tell();
    });
}

void JudgementLine::ask()
{
    m_isAsking = true;
    m_refused.clear();
    m_desk.session.execute(commands::RequestJudgement{m_candidate});
}

void JudgementLine::show(CandidateId candidate)
{
    if (std::exchange(m_candidate, candidate) != candidate) {
        m_refused.clear();
        m_isAsking = false;
    }
    tell();
}

void JudgementLine::tell()
{
    const RunState& run = m_desk.session.run();
    const JudgementOf judgement = judgementOf(run, m_candidate);
    if (judgement.waiting || (judgement.asked && judgement.asked->state == InquiryState::Open)) {
        m_isAsking = false; // somebody was asked
        m_refused.clear();
    }
    const QString words = m_refused.isEmpty() ? ui::text(wordsOf(run, judgement)) : m_refused;
    setWords(words);
    setVisible(!words.isEmpty());
}

} // namespace tilewright::ui
