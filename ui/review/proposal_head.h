// SPDX-License-Identifier: GPL-3.0-or-later
// Above the diff of a proposal: which one it is, what it cost and how long it has been waiting, what its author says
// and claims, what a judge said. GUI thread.
#pragma once

#include "ui/conversation/conversation_view.h"

#include <QPointer>

namespace tilewright::ui {

class Badge;
class ClaimCard;
class ConversationWindow;
class JudgementLine;
class ShortenedText;

class ProposalHead : public QWidget
{
    Q_OBJECT

public:
    explicit ProposalHead(const Desk& desk, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void tellTime(); ///< how long it waits
    JudgementLine& judgement() { return *m_judgement; }

private:
    QPushButton* link(const QString& name, const QString& text, ConversationView::Side side);

    Desk m_desk;
    QLabel *m_name, *m_about, *m_wait;
    QPushButton *m_prompt, *m_reply;
    QPointer<ConversationWindow> m_conversation;
    ProposalId m_proposal;
    std::string m_askedAtUtc; ///< empty where it waits for nobody
    Badge* m_badge;
    ShortenedText* m_reasoning;
    JudgementLine* m_judgement;
    ClaimCard* m_claim;
};

} // namespace tilewright::ui
