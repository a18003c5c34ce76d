// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_view.h"

#include "ui/conversation/conversation_lines.h"
#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_line.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Empty where there is nothing to say: it applied as it was written.
QString howItApplied(const Proposal& proposal)
{
    if (proposal.state == ProposalState::Refused)
        return ConversationView::tr("refused: %1 %2").arg(text(proposal.rule), text(proposal.detail));
    if (proposal.state == ProposalState::Duplicate)
        return ConversationView::tr("nothing new: it is the program of %1").arg(text(proposal.detail));
    if (proposal.repairs.empty())
        return {};
    QStringList repairs;
    for (const std::string& repair : proposal.repairs)
        repairs << text(repair);
    return ConversationView::tr("repaired: %1").arg(repairs.join(u"; "_s));
}

} // namespace

ConversationView::ConversationView(const Desk& desk, Side side, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_side(side)
    , m_facts(new QLabel(this))
    , m_turn(new QComboBox(this))
    , m_copy(new QPushButton(icon(u"copy"_s, Tint::Secondary), tr("Copy"), this))
    , m_view(new CodeView(CodeView::Kind::Conversation, this))
    , m_first(desk.session, this)
    , m_second(desk.session, this)
{
    const bool prompt = side == Side::Prompt;
    m_facts->setObjectName(prompt ? u"promptFacts"_s : u"replyFacts"_s);
    m_facts->setWordWrap(true);
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setFont(fontOf(Type::Secondary));
    m_facts->setProperty("tone", u"secondary"_s);
    m_turn->setAccessibleName(tr("Turn of the conversation"));
    m_copy->setObjectName(prompt ? u"copyCandidatePrompt"_s : u"copyCandidateReply"_s);
    m_copy->setProperty("kind", u"small"_s);
    m_view->setObjectName(prompt ? u"candidatePrompt"_s : u"candidateReply"_s);
    m_view->setAccessibleName(prompt ? tr("Prompt") : tr("Reply"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QFrame(this);
    head->setProperty("role", u"panel"_s);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(px(10), px(6), px(10), px(6));
    row->setSpacing(px(8));
    // All of it, however low the pane: the text below is what can be scrolled.
    QSizePolicy whole(QSizePolicy::Expanding, QSizePolicy::Minimum);
    whole.setHeightForWidth(true);
    m_facts->setSizePolicy(whole);
    row->addWidget(m_facts, 1);
    row->addWidget(m_turn, 0, Qt::AlignTop);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    column->addWidget(head);
    m_view->setMinimumHeight(px(24)); // it scrolls; the facts above do not
    column->addWidget(withFindLine(*m_view, this), 1);
    connect(m_turn, &QComboBox::currentIndexChanged, this, [this] { showTurn(); });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(&m_first, &TextSlot::ready, this, [this](const QString& text) {
        m_firstText = text;
        fill();
    });
    connect(&m_second, &TextSlot::ready, this, [this](const QString& text) {
        m_secondText = text;
        fill();
    });
    clear();
}

void ConversationView::clear()
{
    m_proposal = {};
    m_turns.clear();
    m_first.request({});
    m_second.request({});
    m_firstText.reset();
    m_secondText.reset();
    m_facts->setText({});
    m_turn->setVisible(false);
    m_copy->setVisible(false);
    m_view->setNote(tr("Choose a candidate."));
}

void ConversationView::show(ProposalId proposal)
{
    const RunState& run = m_desk.session.run();
    std::vector<Turn> turns = turnsOf(run, proposal);
    if (proposal == m_proposal && turns == m_turns && m_view->isVisibleTo(this) && m_proposal)
        return;
    clear();
    m_proposal = proposal;
    m_turns = std::move(turns);
    const QSignalBlocker blocker(m_turn);
    m_turn->clear();
    for (std::size_t i = 0; i < m_turns.size(); ++i) {
        const Inquiry* asked = run.inquiry(m_turns[i].inquiry);
        m_turn->addItem(asked ? tr("turn %1: %2").arg(i + 1).arg(asksFor(*asked)) : tr("turn %1").arg(i + 1));
    }
    m_turn->setCurrentIndex(m_turn->count() - 1);
    m_turn->setVisible(m_turns.size() > 1);
    showTurn();
}

void ConversationView::showTurn()
{
    const RunState& run = m_desk.session.run();
    const QString without = noPromptReason(run, m_proposal);
    m_firstText.reset();
    m_secondText.reset();
    const int at = m_turn->currentIndex();
    const bool any = at >= 0 && at < static_cast<int>(m_turns.size());
    const Turn turn = any ? m_turns[static_cast<std::size_t>(at)] : Turn{};
    const Inquiry* asked = run.inquiry(turn.inquiry);
    QStringList facts;
    if (asked)
        facts << factsOf(run, *asked);
    m_copy->setVisible(false);
    if (m_side == Side::Prompt) {
        m_facts->setText(without.isEmpty() ? facts.join(u'\n') : without);
        m_view->setNote(without.isEmpty() ? tr("The prompt is on its way…") : QString());
        m_first.request(turn.system);
        m_second.request(turn.prompt);
        if (turn.system.isNull())
            m_firstText = QString();
        return;
    }
    const Proposal* proposal = run.proposal(m_proposal);
    if (!asked && proposal && !turn.reply.isNull())
        facts << tr("offered by %1, without a prompt").arg(ui::text(proposal->proposer));
    if (proposal && at == static_cast<int>(m_turns.size()) - 1) {
        if (proposal->part > 0)
            facts << tr("proposal %1, marked below").arg(proposal->part);
        facts << howItApplied(*proposal);
        facts.removeAll(QString());
    }
    m_facts->setText(facts.join(u" · "_s)); // in lines, at large fonts it takes more height than there is
    if (turn.reply.isNull())
        m_facts->setText(without.isEmpty() ? tr("No reply was kept.") : without);
    m_view->setNote(turn.reply.isNull() ? QString() : tr("The reply is on its way…"));
    m_firstText = QString();
    m_second.request(turn.reply);
}

QString ConversationView::text() const
{
    const QString first = m_firstText.value_or(QString()), second = m_secondText.value_or(QString());
    return first.isEmpty() ? second : first + u"\n\n"_s + second;
}

void ConversationView::fill()
{
    if (!m_firstText || !m_secondText)
        return;
    const int at = m_turn->currentIndex();
    const bool last = at == static_cast<int>(m_turns.size()) - 1;
    m_copy->setVisible(true);
    m_view->setTexts({}, text());
    m_view->setLines(
        replyLines(text().toStdString(), m_side == Side::Reply && last && !m_turns.empty() ? m_turns.back().part : 0));
}

} // namespace tilewright::ui
