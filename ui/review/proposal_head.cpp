// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_head.h"

#include "core/model/requests/conversation.h"
#include "core/model/reviews/review_queue.h"
#include "ui/conversation/conversation_view.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/review/claim_card.h"
#include "ui/review/decision_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pill.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposalHead::ProposalHead(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_name(new QLabel(this))
    , m_about(new QLabel(this))
    , m_wait(new QLabel(this))
    , m_prompt(link(u"reviewPrompt"_s, tr("Prompt"), ConversationView::Side::Prompt))
    , m_reply(link(u"reviewReply"_s, tr("Reply"), ConversationView::Side::Reply))
    , m_badge(new Badge(this))
    , m_reasoning(new ShortenedText(u"reviewReasoning"_s, this))
    , m_judgement(new JudgementLine(context, this))
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
    auto* caption = new QLabel(tr("Rationale"), this);
    caption->setFont(fontOf(Type::Secondary));
    caption->setProperty("tone", u"secondary"_s);
    m_reasoning->label().setFont(fontOf(Type::Prose));
    auto* heading = new QHBoxLayout;
    heading->setSpacing(px(8));
    heading->addWidget(caption);
    const QAction& ask = context.actions[u"review.judge"_s];
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
            m_conversation = new ConversationWindow(m_context, m_proposal, this);
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
    const RunState& run = m_context.session.run();
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
                                        : tr("Tokens and cost of all requests for it, repairs included. A reply with "
                                             "several edits counts in full for each."));
    m_proposal = candidate.proposal;
    const QString without = noPromptReason(run, m_proposal);
    m_prompt->setEnabled(without.isEmpty());
    m_prompt->setToolTip(without.isEmpty() ? tr("The prompt it was requested with, byte for byte") : without);
    m_reply->setEnabled(proposal && !proposal->reply.isNull());
    m_reply->setToolTip(tr("The reply it comes from, byte for byte"));
    const Review* review = ownReview(run, candidate);
    const bool waits = candidate.stage == Stage::Review && review && review->isWaiting();
    m_askedAtUtc = waits ? review->askedAtUtc : std::string();
    tellTime();
    const QString reasoning = proposal ? text(proposal->reasoning).trimmed() : QString();
    m_reasoning->setWords(reasoning.isEmpty() ? tr("Nothing.") : reasoning);
    m_judgement->show(candidate.id);
    m_claim->show(m_context.session.snapshot(), candidate);
}

OpenEditNote::OpenEditNote(QWidget* parent)
    : QFrame(parent)
    , m_words(new QLabel(this))
    , m_keep(new QPushButton(tr("Keep"), this))
    , m_discard(new QPushButton(tr("Discard"), this))
{
    setObjectName(u"openEditNote"_s);
    m_words->setObjectName(u"openEditWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setProperty("tone", u"warning"_s);
    m_keep->setObjectName(u"keepOpenEdit"_s);
    m_discard->setObjectName(u"discardOpenEdit"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(6), px(12), px(6));
    column->setSpacing(px(6));
    column->addWidget(m_words);
    auto* answers = new QHBoxLayout;
    answers->setSpacing(px(6));
    for (QPushButton* answer : {m_keep, m_discard}) {
        answer->setProperty("kind", u"small"_s);
        answers->addWidget(answer);
    }
    answers->addStretch(1);
    column->addLayout(answers);
    connect(m_keep, &QPushButton::clicked, this, [this] { Q_EMIT kept(m_wanted); });
    connect(m_discard, &QPushButton::clicked, this, [this] { Q_EMIT discarded(m_wanted); });
    hide();
}

void OpenEditNote::ask(CandidateId edited, CandidateId wanted)
{
    m_wanted = wanted;
    m_words->setText(tr("You are editing %1. Keep your text as a draft, or discard it, and open %2?")
                         .arg(nameOfCandidate(edited), nameOfCandidate(wanted)));
    for (QPushButton* answer : {m_keep, m_discard})
        answer->setVisible(true);
    m_keep->setToolTip(tr("Edit continues the draft when %1 is opened again").arg(nameOfCandidate(edited)));
    show();
}

void OpenEditNote::tellSent(CandidateId edited)
{
    m_words->setText(
        tr("Your text of %1 is being sent. Wait until it is accepted to open others.").arg(nameOfCandidate(edited)));
    for (QPushButton* answer : {m_keep, m_discard})
        answer->setVisible(false);
    show();
}

namespace {

constexpr std::chrono::milliseconds restBeforeCheck{700}; ///< a build costs more than a comparison

} // namespace

EditChecker::EditChecker(const ViewContext& context, EditAs as, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_as(as)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeCheck);
    connect(&m_rest, &QTimer::timeout, this, &EditChecker::askNow);
    connect(&context.session, &SessionClient::editChecked, this, [this](quint64 tag, const EditCheck& check) {
        if (tag != m_tag)
            return; // of a text that was changed since
        m_tag = 0;
        m_progress = {EditProgress::Step::Known, check};
        Q_EMIT known();
        Q_EMIT progressed();
    });
    connect(&context.session, &SessionClient::editCheckCancelled, this, [this](quint64 tag) {
        if (tag != m_tag)
            return;
        m_tag = 0;
        m_progress = {EditProgress::Step::Cancelled, {}};
        Q_EMIT cancelled();
        Q_EMIT progressed();
    });
}

bool EditChecker::isKnownBad() const
{
    return m_progress.step == EditProgress::Step::Known && !m_progress.check.isGood();
}

int EditChecker::line() const { return isKnownBad() ? m_progress.check.line : 0; }

QString EditChecker::complaint() const
{
    if (!isKnownBad())
        return {};
    const Error& why = m_progress.check.why;
    const QString words
        = why.hint.empty() ? ui::text(why.text) : tr("%1 — %2").arg(ui::text(why.text), ui::text(why.hint));
    return m_progress.check.end == EditCheckEnd::Broken ? tr("It does not build: %1").arg(words)
                                                        : tr("It cannot be accepted: %1").arg(words);
}

void EditChecker::open(CandidateId candidate, const QString& original)
{
    drop();
    m_candidate = candidate;
    m_original = original;
    m_text.clear();
    m_progress = {};
}

bool EditChecker::take(const QString& text)
{
    if (text == m_text)
        return false;
    m_text = text;
    drop();
    const bool isOwn = text == m_original;
    m_progress = {isOwn ? EditProgress::Step::Unchanged : EditProgress::Step::Typing, {}};
    if (!isOwn)
        m_rest.start();
    return true;
}

void EditChecker::askNow()
{
    m_rest.stop();
    if (m_tag)
        return;
    m_progress = {EditProgress::Step::Running, {}};
    m_tag = m_context.session.checkEdit(m_candidate, m_text, m_as);
    Q_EMIT progressed();
}

void EditChecker::drop()
{
    m_rest.stop();
    if (const quint64 tag = std::exchange(m_tag, 0))
        m_context.session.dropEditCheck(tag);
}

} // namespace tilewright::ui
