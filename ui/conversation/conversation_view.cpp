// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_view.h"

#include "core/model/requests/conversation.h"
#include "core/patch/proposals.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/room.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Empty where there is nothing to say: it applied as it was written.
QString howItApplied(const Proposal& proposal)
{
    if (proposal.state == ProposalState::Refused)
        return ConversationView::tr("refused: %1 %2").arg(text(proposal.rule), text(proposal.detail));
    if (proposal.state == ProposalState::Duplicate)
        return ConversationView::tr("duplicate of %1").arg(text(proposal.detail));
    if (proposal.repairs.empty())
        return {};
    QStringList repairs;
    for (const std::string& repair : proposal.repairs)
        repairs << text(repair);
    return ConversationView::tr("repaired: %1").arg(repairs.join(u"; "_s));
}

} // namespace

ConversationView::ConversationView(const ViewContext& context, Side side, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_side(side)
    , m_facts(new QLabel(this))
    , m_turn(new QComboBox(this))
    , m_copy(new QPushButton(icon(u"copy"_s, Tint::Secondary), tr("Copy"), this))
    , m_view(new CodeView(CodeView::Kind::Conversation, this))
    , m_first(context.session, this)
    , m_second(context.session, this)
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
    const RunState& run = m_context.session.run();
    std::vector<Turn> turns = turnsOf(run, proposal);
    if (proposal == m_proposal && turns == m_turns && m_view->isVisibleTo(this) && m_proposal)
        return;
    clear();
    m_proposal = proposal;
    m_turns = std::move(turns);
    const QSignalBlocker blocker(m_turn);
    m_turn->clear();
    for (std::size_t i = 0; i < m_turns.size(); ++i) {
        const ModelRequest* asked = run.modelRequest(m_turns[i].modelRequest);
        m_turn->addItem(asked ? tr("turn %1: %2").arg(i + 1).arg(asksFor(*asked)) : tr("turn %1").arg(i + 1));
    }
    m_turn->setCurrentIndex(m_turn->count() - 1);
    m_turn->setVisible(m_turns.size() > 1);
    showTurn();
}

void ConversationView::showTurn()
{
    const RunState& run = m_context.session.run();
    const QString without = noPromptReason(run, m_proposal);
    m_firstText.reset();
    m_secondText.reset();
    const int at = m_turn->currentIndex();
    const bool any = at >= 0 && at < static_cast<int>(m_turns.size());
    const Turn turn = any ? m_turns[static_cast<std::size_t>(at)] : Turn{};
    const ModelRequest* asked = run.modelRequest(turn.modelRequest);
    QStringList facts;
    if (asked)
        facts << factsOf(run, *asked);
    m_copy->setVisible(false);
    if (m_side == Side::Prompt) {
        m_facts->setText(without.isEmpty() ? facts.join(u'\n') : without);
        m_view->setNote(without.isEmpty() ? tr("Loading the prompt…") : QString());
        m_first.request(turn.system);
        m_second.request(turn.prompt);
        if (turn.system.isNull())
            m_firstText = QString();
        return;
    }
    const Proposal* proposal = run.proposal(m_proposal);
    if (!asked && proposal && !turn.reply.isNull())
        facts << tr("proposed by %1, without a prompt").arg(ui::text(authorOf(run, *proposal)));
    if (proposal && at == static_cast<int>(m_turns.size()) - 1) {
        if (proposal->part > 0)
            facts << tr("proposal %1, marked below").arg(proposal->part);
        facts << howItApplied(*proposal);
        facts.removeAll(QString());
    }
    m_facts->setText(facts.join(u" · "_s)); // in lines, at large fonts it takes more height than there is
    if (turn.reply.isNull())
        m_facts->setText(without.isEmpty() ? tr("No reply was recorded.") : without);
    m_view->setNote(turn.reply.isNull() ? QString() : tr("Loading the reply…"));
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

ConversationWindow::ConversationWindow(const ViewContext& context, ProposalId id, QWidget* parent)
    : QDialog(parent)
    , m_proposal(id)
    , m_tabs(new QTabBar(this))
{
    setObjectName(u"conversationWindow"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    const RunState& run = context.session.run();
    const Proposal* proposal = run.proposal(id);
    const QString who = proposal ? text(authorOf(run, *proposal)) : QString();
    const auto made = std::ranges::find_if(
        run.candidates, [id](const Candidate& each) { return each.proposal == id && !each.migrated; });
    setWindowTitle(made != run.candidates.end() ? tr("%1, by %2").arg(nameOfCandidate((*made).id), who)
            : proposal && proposal->state == ProposalState::Duplicate
            ? tr("Reply for %1 without a new program").arg(who)
            : tr("Refused reply for %1").arg(who));
    openAs(*this, 760, 620, parent);
    auto* reply = new ConversationView(context, ConversationView::Side::Reply, this);
    auto* prompt = new ConversationView(context, ConversationView::Side::Prompt, this);
    reply->setObjectName(u"conversationReply"_s);
    prompt->setObjectName(u"conversationPrompt"_s);
    m_tabs->setObjectName(u"conversationWindowTabs"_s);
    m_tabs->setAccessibleName(tr("Texts of the proposal"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setProperty("kind", u"dense"_s);
    m_tabs->addTab(tr("Reply"));
    m_tabs->addTab(tr("Prompt"));
    auto* pages = new QStackedWidget(this);
    pages->addWidget(reply);
    pages->addWidget(prompt);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, px(4), 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    connect(&context.session, &SessionClient::replaced, this, &QDialog::close);
    reply->show(id);
    prompt->show(id);
}

void ConversationWindow::present(ConversationView::Side side)
{
    m_tabs->setCurrentIndex(side == ConversationView::Side::Reply ? 0 : 1);
    show();
    raise();
    activateWindow();
}

namespace {

int lineAt(const std::string& text, std::size_t at)
{
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

} // namespace

std::vector<CodeLine> replyLines(const std::string& reply, int part)
{
    int first = -1, last = -1; // of the proposal, 0-based
    const std::vector<std::string> parts = part > 0 ? proposalsIn(reply) : std::vector<std::string>();
    if (part > 0 && static_cast<std::size_t>(part) <= parts.size()) {
        const std::string& own = parts[static_cast<std::size_t>(part - 1)];
        const std::size_t at = own.empty() ? std::string::npos : reply.find(own);
        if (at != std::string::npos) {
            first = lineAt(reply, at);
            last = lineAt(reply, at + own.size() - 1);
        }
    }
    std::vector<CodeLine> lines = conversationLines(QString::fromStdString(reply));
    for (CodeLine& line : lines)
        line.isChosen = line.number - 1 >= first && line.number - 1 <= last;
    return lines;
}

QString costWords(const std::optional<std::int64_t>& microUsd)
{
    if (!microUsd)
        return tr("cost unknown");
    const double usd = static_cast<double>(*microUsd) / 1e6;
    return u"$%1"_s.arg(usd, 0, 'f', usd == 0 || usd >= 1 ? 2 : usd >= 0.01 ? 3 : 6);
}

QString factsOf(const RunState& run, const ModelRequest& modelRequest)
{
    QStringList facts;
    facts << tr("template %1").arg(templateWords(run, modelRequest));
    const std::string model = modelRequest.answer.model.empty() ? modelRequest.model : modelRequest.answer.model;
    const bool byHand = modelRequest.proposer == "manual";
    facts << (byHand ? tr("manual reply") : text(model.empty() ? modelRequest.proposer : model));
    if (modelRequest.state == ModelRequestState::Open)
        return (facts << tr("no reply yet")).join(u" · "_s);
    if (!byHand) {
        const QString tokens
            = tr("tokens: %1, %2").arg(readWords(modelRequest.answer.tokens), writtenWords(modelRequest.answer.tokens));
        facts << (modelRequest.answer.guessed.total() > 0 ? tr("%1 (partly estimated)").arg(tokens) : tokens);
        facts << costWords(modelRequest.answer.costMicroUsd);
    }
    facts << tookTime(std::max<std::int64_t>(0, modelRequest.answeredNs - modelRequest.askedNs));
    if (modelRequest.answer.tries > 1)
        facts << tr("%1 attempts").arg(modelRequest.answer.tries);
    if (modelRequest.unwanted)
        facts << tr("not used: its island was undone");
    return facts.join(u" · "_s);
}

QString priceOf(const RunState& run, ProposalId id)
{
    TokenUsage used;
    std::int64_t microUsd = 0;
    int calls = 0, priced = 0;
    bool isTold = true, isGuessed = false;
    for (const ModelRequestId each : callsOf(run, id)) {
        const ModelRequest& modelRequest = *run.modelRequest(each);
        if (modelRequest.proposer == "manual")
            continue;
        const ModelRequestAnswer& answer = modelRequest.answer;
        ++calls;
        used += answer.tokens;
        isTold = isTold && answer.untold == 0 && answer.rule != "llm/lost";
        isGuessed = isGuessed || answer.guessed.total() > 0;
        priced += answer.costMicroUsd ? 1 : 0;
        microUsd += answer.costMicroUsd.value_or(0);
    }
    if (calls == 0)
        return {};
    QStringList words;
    if (calls > 1)
        words << tr("%1 requests").arg(calls);
    const QString tokens = tr("%1 prompt tokens, %2 reply tokens").arg(grouped(used.read()), grouped(used.written()));
    words << (!isTold   ? used.total() == 0 ? tr("tokens unknown") : tr("at least %1").arg(tokens)
              : isGuessed ? tr("%1 (partly estimated)").arg(tokens)
                        : tokens);
    const QString cost = costWords(priced == 0 ? std::nullopt : std::optional(microUsd));
    words << (priced > 0 && priced < calls ? tr("at least %1").arg(cost) : cost);
    return words.join(u" · "_s);
}

QString noPromptReason(const RunState& run, ProposalId id)
{
    const std::vector<Turn> turns = turnsOf(run, id);
    if (std::ranges::any_of(turns, [](const Turn& turn) { return bool(turn.modelRequest); }))
        return {};
    const Proposal* proposal = run.proposal(id);
    if (!proposal || proposal->parents.empty() || proposal->proposer == "seed")
        return tr("This is the seed of the task: it was not requested.");
    const std::string& who = proposal->proposer;
    if (who == "mutator")
        return tr("No prompt: the built-in mutator made this edit from the task's transforms. No model was used.");
    if (who == "tuner")
        return tr("No prompt: the tuner chose other constants. No model was used.");
    if (who == "recombiner")
        return tr("No prompt: a successful edit was applied to another program. No model was used.");
    if (who.starts_with("replay"))
        return tr("No prompt here: the reply was replayed from a recording. The recorded session contains the prompt.");
    return tr("No prompt: “%1” made this edit without a model.").arg(text(authorOf(run, *proposal)));
}

} // namespace tilewright::ui
