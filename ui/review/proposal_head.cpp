// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_head.h"

#include "core/model/conversation.h"
#include "core/model/person_edit.h"
#include "ui/conversation/conversation_lines.h"
#include "ui/conversation/conversation_window.h"
#include "ui/models/format.h"
#include "ui/models/wait_words.h"
#include "ui/review/action_button.h"
#include "ui/review/claim_card.h"
#include "ui/review/judgement_line.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposalHead::ProposalHead(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_name(new QLabel(this))
    , m_about(new QLabel(this))
    , m_wait(new QLabel(this))
    , m_prompt(link(u"reviewPrompt"_s, tr("Prompt"), ConversationView::Side::Prompt))
    , m_reply(link(u"reviewReply"_s, tr("Reply"), ConversationView::Side::Reply))
    , m_badge(new Badge(this))
    , m_reasoning(new ShortenedText(u"reviewReasoning"_s, this))
    , m_judgement(new JudgementLine(desk, this))
    , m_claim(new ClaimCard(this))
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(px(16), px(12), px(12), px(12));
    rows->setSpacing(px(8));
    auto* first = new QHBoxLayout;
    first->setSpacing(px(8));
    m_name->setObjectName(u"reviewCandidate"_s);
    m_name->setFont(fontOf(Type::MonoTitle));
    m_about->setTextFormat(Qt::PlainText);
    m_about->setWordWrap(true);
    m_about->setProperty("tone", u"secondary"_s);
    first->addWidget(m_name);
    first->addWidget(m_badge);
    first->addWidget(m_about, 1);
    m_wait->setObjectName(u"reviewWaits"_s);
    m_wait->setFont(fontOf(Type::Secondary));
    m_wait->setProperty("tone", u"secondary"_s);
    m_about->setObjectName(u"reviewAbout"_s);
    for (QWidget* each : std::initializer_list<QWidget*>{m_wait, m_prompt, m_reply})
        first->addWidget(each);
    rows->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(px(12));
    auto* said = new QVBoxLayout;
    auto* caption = new QLabel(tr("What its author says"), this);
    caption->setFont(fontOf(Type::Secondary));
    caption->setProperty("tone", u"secondary"_s);
    m_reasoning->label().setFont(fontOf(Type::Prose));
    auto* heading = new QHBoxLayout;
    heading->setSpacing(px(8));
    heading->addWidget(caption);
    const QAction& ask = desk.actions[u"review.judge"_s];
    auto* judge = actionButton(u"askAJudge"_s, QString(ask.text()).remove(u'&'), ask, this);
    heading->addWidget(judge);
    heading->addStretch(1);
    said->addLayout(heading);
    said->addWidget(m_reasoning);
    said->addWidget(m_judgement);
    said->addStretch(1);
    m_claim->setFixedWidth(px(280));
    second->addLayout(said, 1);
    second->addWidget(m_claim);
    rows->addLayout(second);
}

QPushButton* ProposalHead::link(const QString& name, const QString& text, ConversationView::Side side)
{
    const bool isPrompt = side == ConversationView::Side::Prompt;
    auto* button = new QPushButton(icon(isPrompt ? u"file"_s : u"chat"_s, Tint::Secondary), text, this);
    button->setObjectName(name);
    button->setProperty("kind", u"small"_s);
    connect(button, &QPushButton::clicked, this, [this, side] {
        if (m_conversation && m_conversation->proposal() != m_proposal)
            m_conversation->close();
        if (!m_conversation || m_conversation->proposal() != m_proposal)
            m_conversation = new ConversationWindow(m_desk, m_proposal, this);
        m_conversation->present(side);
    });
    return button;
}

void ProposalHead::tellTime()
{
    const QString words = waitWords(m_askedAtUtc, QDateTime::currentDateTimeUtc());
    m_wait->setText(words);
    m_wait->setVisible(!words.isEmpty());
}

void ProposalHead::show(const Candidate& candidate)
{
    const RunState& run = m_desk.session.run();
    const Proposal* proposal = run.proposal(candidate.proposal);
    const Island* island = run.island(candidate.island);
    m_name->setText(nameOfCandidate(candidate.id));
    m_badge->setIsland(candidate.island);
    const QString home = !island              ? QString()
        : island->standing == Standing::Ended ? tr("%1, an island that has ended").arg(text(island->name))
                                              : text(island->name);
    m_about->setText(
        tr("%1 · child of %2 · %3, %4")
            .arg(home, namesOfParents(candidate.parents), proposal ? text(authorOf(run, *proposal)) : QString(),
                proposal ? words(proposal->focus) : QString()));
    const QString price = priceOf(run, candidate.proposal);
    if (!price.isEmpty())
        m_about->setText(tr("%1 · %2").arg(m_about->text(), price));
    m_about->setToolTip(price.isEmpty() ? QString()
                                        : tr("Tokens and cost: of all calls until it was there, repairs as well. A "
                                             "reply that holds several edits counts whole with each."));
    m_proposal = candidate.proposal;
    const QString without = noPromptReason(run, m_proposal);
    m_prompt->setEnabled(without.isEmpty());
    m_prompt->setToolTip(without.isEmpty() ? tr("What was asked for it, to the byte") : without);
    m_reply->setEnabled(proposal && !proposal->reply.isNull());
    m_reply->setToolTip(tr("The reply that it comes from, to the byte"));
    const Review* review = ownReview(run, candidate);
    const bool waits = candidate.stage == Stage::Review && review && review->isWaiting();
    m_askedAtUtc = waits ? review->askedAtUtc : std::string();
    tellTime();
    const QString reasoning = proposal ? text(proposal->reasoning).trimmed() : QString();
    m_reasoning->setWords(reasoning.isEmpty() ? tr("Nothing.") : reasoning);
    m_judgement->show(candidate.id);
    m_claim->show(m_desk.session.snapshot(), candidate);
}

} // namespace tilewright::ui
