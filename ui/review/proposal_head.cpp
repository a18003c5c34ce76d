// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_head.h"

#include "core/model/conversation.h"
#include "ui/models/format.h"
#include "ui/review/action_button.h"
#include "ui/review/claim_card.h"
#include "ui/review/judgement_line.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposalHead::ProposalHead(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_name(new QLabel(this))
    , m_about(new QLabel(this))
    , m_badge(new Badge(this))
    , m_reasoning(new ShortenedLabel(this))
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
    rows->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(px(12));
    auto* said = new QVBoxLayout;
    auto* caption = new QLabel(tr("What its author says"), this);
    caption->setFont(fontOf(Type::Secondary));
    caption->setProperty("tone", u"secondary"_s);
    m_reasoning->setObjectName(u"reviewReasoning"_s);
    m_reasoning->setFont(fontOf(Type::Prose));
    auto* heading = new QHBoxLayout;
    heading->setSpacing(px(8));
    heading->addWidget(caption);
    const QAction& ask = desk.actions[u"review.judge"_s];
    auto* judge = actionButton(u"askAJudge"_s, QString(ask.text()).remove(u'&'), ask, this);
    judge->setEnabled(ask.isEnabled());
    connect(&ask, &QAction::changed, judge, [judge, &ask] { judge->setEnabled(ask.isEnabled()); });
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

void ProposalHead::show(const Candidate& candidate)
{
    const RunState& run = m_desk.session.run();
    const Proposal* proposal = run.proposal(candidate.proposal);
    const Island* island = run.island(candidate.island);
    m_name->setText(nameOfCandidate(candidate.id));
    m_badge->setIsland(candidate.island);
    m_about->setText(
        tr("%1 · child of %2 · %3, %4")
            .arg(island ? text(island->name) : QString(),
                nameOfCandidate(candidate.parents.empty() ? CandidateId{} : candidate.parents.front()),
                proposal ? text(authorOf(run, *proposal)) : QString(), proposal ? words(proposal->focus) : QString()));
    const QString reasoning = proposal ? text(proposal->reasoning).trimmed() : QString();
    m_reasoning->setWords(reasoning.isEmpty() ? tr("Nothing.") : reasoning);
    m_judgement->show(candidate.id);
    m_claim->show(m_desk.session.snapshot(), candidate);
}

} // namespace tilewright::ui
