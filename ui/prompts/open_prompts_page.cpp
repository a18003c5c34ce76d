// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/open_prompts_page.h"

#include "core/base/files.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/prompts/reply_box.h"
#include "ui/prompts/send_once_bar.h"
#include "ui/session/no_session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Of a run that goes on by hand, where no prompt is out.
QString whyNothingIsOut(const Snapshot& snapshot)
{
    const auto begun = std::ranges::count_if(snapshot.run.modelRequests, [](const ModelRequest& modelRequest) {
        return modelRequest.state == ModelRequestState::Open && !modelRequest.unwanted
            && modelRequest.proposer.starts_with("manual");
    });
    if (begun == 0 && snapshot.status.phase == events::Phase::Running)
        return OpenPromptsPage::tr("No prompts are waiting.\nThe next prompt appears when there is room for another "
                                   "candidate: earlier replies are built and measured first.");
    if (begun == 0)
        return OpenPromptsPage::tr("No prompts are waiting.\nThe next prompt appears while the run is running.");
    const QString open = snapshot.status.phase == events::Phase::Paused
        ? counted(begun, OpenPromptsPage::tr("%1 prompt was open when the run was paused."),
            OpenPromptsPage::tr("%1 prompts were open when the run was paused."))
        : counted(begun, OpenPromptsPage::tr("%1 prompt was open when the session was closed."),
            OpenPromptsPage::tr("%1 prompts were open when the session was closed."));
    return open + u'\n' + OpenPromptsPage::tr("Unanswered prompts are sent again when the run resumes.");
}

/// Of a reply that was not sent yet, among the drafts.
QString placeOf(ModelRequestId modelRequest) { return u"reply/%1"_s.arg(modelRequest.value); }

} // namespace

OpenPromptsPage::OpenPromptsPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_stack(new QStackedWidget(this))
    , m_system(context.session, this)
    , m_user(context.session, this)
    , m_source(context.session, this)
{
    setObjectName(u"openPromptsPage"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_stack->addWidget(buildNothing());
    auto* split = new QSplitter(this);
    split->setObjectName(u"promptsSplit"_s);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    split->addWidget(buildList());
    split->addWidget(buildReader());
    split->setStretchFactor(1, 1);
    split->setSizes({px(330), px(1000)});
    m_stack->addWidget(split);

    connect(&m_system, &TextSlot::ready, this, [this](const QString& text) {
        m_systemText = text;
        showPart();
    });
    connect(&m_user, &TextSlot::ready, this, [this](const QString& text) {
        m_userText = text;
        showPart();
    });
    connect(&m_source, &TextSlot::ready, this, [this](const QString& text) {
        m_parentText = text.toStdString();
        refresh();
    });
    connect(m_parts, &Segments::chosen, this, [this] { showPart(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (const ModelRequest* modelRequest = m_model.at(row.row()))
            choose(modelRequest->id);
    });
    connect(m_reply, &ReplyBox::submitted, this, [this](const QString& reply) {
        const ModelRequestId answered = m_chosen;
        m_context.session.execute(commands::AnswerRequest{answered, reply.toStdString()});
        m_reply->setReply({}); // which drops what was begun
        m_hasChosenReply = false;
        say(tr("Sent. See the result under Answered."));
    });
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_chosen = {};
        m_hasChosenReply = false;
        m_reply->setReply({});
    });
    connect(m_reply, &ReplyBox::typed, this, [this] {
        if (m_chosen && !m_reply->reply().trimmed().isEmpty())
            m_context.drafts.keep(placeOf(m_chosen), m_reply->reply());
        else if (m_chosen)
            m_context.drafts.drop(placeOf(m_chosen));
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    refresh();
}

QWidget* OpenPromptsPage::buildNothing()
{
    m_nothing = emptyNote(u"noPrompts"_s, this);
    return withSessionButtons(m_context, m_nothing, this);
}

QWidget* OpenPromptsPage::buildList()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    side->setMinimumWidth(px(280));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_listTitle = new DockTitle(tr("Open prompts"), side);
    m_table = new Table(side);
    m_table->setObjectName(u"openPrompts"_s);
    m_table->setAccessibleName(tr("Prompts that wait for a reply"));
    m_table->setModel(&m_model);
    m_table->setColumns({{96}, {88}, {66}, {70}});
    auto* about = new QLabel(tr("No other prompts are waiting: earlier replies are being built and measured. A reply "
                                "may contain several proposals."),
        side);
    about->setWordWrap(true);
    about->setMargin(px(12));
    about->setFont(fontOf(Type::Secondary));
    about->setProperty("tone", u"secondary"_s);
    column->addWidget(m_listTitle);
    column->addWidget(m_table, 2);
    column->addWidget(about);
    column->addWidget(m_answeredPart = buildAnswered(side), 3);
    return side;
}

QWidget* OpenPromptsPage::buildAnswered(QWidget* side)
{
    auto* part = new QWidget(side);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_answered = new Table(part);
    m_answered->setObjectName(u"answeredPrompts"_s);
    m_answered->setAccessibleName(tr("Replies that were sent, with their results"));
    m_answered->setModel(&m_answeredModel);
    m_answered->setIdentity(AnsweredModel::IdRole);
    m_answered->setColumns({{84}, {132}, {80, 0, true}});
    m_outcome = new QLabel(part);
    m_outcome->setObjectName(u"replyOutcome"_s);
    m_outcome->setTextFormat(Qt::RichText);
    m_outcome->setWordWrap(true);
    m_outcome->setMargin(px(12));
    m_outcome->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addWidget(new DockTitle(tr("Answered"), part));
    column->addWidget(m_answered, 1);
    column->addWidget(m_outcome);
    connect(m_answered, &Table::rowChosen, this, [this] {
        m_hasChosenReply = true;
        showOutcome();
    });
    connect(m_answered, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const AnsweredModel::Row* row = m_answeredModel.at(index.row()))
            goTo(row->candidate);
    });
    connect(m_outcome, &QLabel::linkActivated, this,
        [this](const QString& name) { goTo(candidateFromName(name.toStdString())); });
    return part;
}

void OpenPromptsPage::goTo(CandidateId candidate)
{
    if (!m_context.session.run().candidate(candidate))
        return;
    m_context.selection.select(candidate);
    m_context.actions[u"mode.evolve"_s].trigger();
}

void OpenPromptsPage::showAnswered()
{
    m_answeredModel.show(m_context.session.snapshot());
    m_answeredPart->setVisible(m_answeredModel.rowCount() > 0);
    const bool isGone = !m_answered->currentIndex().isValid();
    if (m_answeredModel.rowCount() > 0 && (isGone || (!m_hasChosenReply && m_answered->currentIndex().row() != 0))) {
        m_answered->selectRow(0);
        m_answered->scrollToTop();
    }
    showOutcome();
}

void OpenPromptsPage::showOutcome()
{
    const AnsweredModel::Row* row = m_answeredModel.at(m_answered->currentIndex().row());
    if (!row)
        return m_outcome->clear();
    QString outcome = row->outcome.toHtmlEscaped();
    if (row->candidate) {
        const QString name = nameOfCandidate(row->candidate);
        outcome.replace(name, u"<a href=\"%1\" style=\"color: %2\">%1</a>"_s.arg(name, tokens().accent.name()));
    }
    const QString standing = row->standing.isEmpty() ? QString() : u"<br>"_s + row->standing.toHtmlEscaped();
    m_outcome->setText(u"%1: %2%3"_s.arg(row->prompt.toHtmlEscaped(), outcome, standing));
}

/// Replies were sent, and no prompt waits.
void OpenPromptsPage::showNothingOut()
{
    m_chosen = {};
    m_listTitle->setSubText(tr("none"));
    m_readerTitle->setSubText({});
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
    m_table->setNothing(tr("No open prompts."));
    m_reader->setNote(m_nothing->text());
    m_reply->setOpen(false);
    if (!m_reply->reply().isEmpty())
        m_reply->setReply({}); // what was begun is kept among the drafts
}

QWidget* OpenPromptsPage::buildReader()
{
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    m_readerTitle = new DockTitle(tr("Prompt"), split);
    m_parts = new Segments(tr("Part of the prompt"), {tr("Whole"), tr("System"), tr("User")}, split);
    m_parts->setObjectName(u"promptParts"_s);
    m_copy = new QPushButton(icon(u"copy"_s, Tint::Secondary), tr("Copy"), split);
    m_copy->setObjectName(u"copyPrompt"_s);
    m_save = new QPushButton(icon(u"save"_s, Tint::Secondary), tr("Save…"), split);
    m_save->setObjectName(u"savePrompt"_s);
    for (QPushButton* button : {m_copy, m_save})
        button->setProperty("kind", u"small"_s);
    m_copy->setToolTip(tr("Copy the visible part, byte for byte"));
    m_save->setToolTip(tr("Write the visible part to a file"));
    m_readerTitle->addControl(m_parts);
    m_readerTitle->addControl(m_copy);
    m_readerTitle->addControl(m_save);
    m_reader = new CodeView(CodeView::Kind::Conversation, split);
    m_reader->setObjectName(u"promptReader"_s);
    m_reader->setAccessibleName(tr("Prompt"));
    m_replyTitle = new DockTitle(tr("Reply"), split);
    m_reply = new ReplyBox(split);
    split->addWidget(pane(m_readerTitle, withFindLine(*m_reader, split), split));
    split->addWidget(pane(m_replyTitle, m_reply, split));
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({px(520), px(320)});
    connect(m_copy, &QPushButton::clicked, this, [this] {
        const auto part = static_cast<Part>(m_parts->current());
        QGuiApplication::clipboard()->setText(textOf(part));
        say(tr("Copied: %1 characters.").arg(grouped(textOf(part).size())));
    });
    connect(m_save, &QPushButton::clicked, this, [this] { save(); });
    return split;
}

void OpenPromptsPage::say(const QString& text) { m_replyTitle->setSubText(text); }

QString OpenPromptsPage::textOf(Part part) const
{
    switch (part) {
    case System:
        return m_systemText;
    case User:
        return m_userText;
    case Whole:
        break;
    }
    return m_systemText.isEmpty() ? m_userText : m_systemText + u"\n\n"_s + m_userText;
}

void OpenPromptsPage::save()
{
    const QString text = textOf(static_cast<Part>(m_parts->current()));
    auto* dialog = new QFileDialog(this, tr("Save the prompt"),
        tr("prompt-%1.md").arg(m_chosen.value, 4, 10, QLatin1Char('0')), tr("Texts (*.md *.txt)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, this, [this, text](const QString& path) {
        const auto written = saveFile(path.toStdString(), text.toStdString());
        say(written ? tr("Written to %1.").arg(path) : ui::text(written.error().text));
    });
    dialog->open();
}

void OpenPromptsPage::setLoading(bool loading)
{
    for (DockTitle* title : {m_listTitle, m_readerTitle, m_replyTitle})
        title->setLoading(loading);
}

void OpenPromptsPage::find() { FindLine::of(*m_reader)->open(); }

void OpenPromptsPage::choose(ModelRequestId modelRequest)
{
    if (modelRequest == m_chosen)
        return;
    m_chosen = modelRequest;
    m_systemText.clear();
    m_userText.clear();
    m_parentText.clear();
    const RunState& run = m_context.session.run();
    const ModelRequest* asked = run.modelRequest(modelRequest);
    const Candidate* parent = asked && !asked->parents.empty() ? run.candidate(asked->parents.front()) : nullptr;
    m_system.request(asked ? asked->system : Hash{});
    m_user.request(asked ? asked->prompt : Hash{});
    m_source.request(parent ? parent->source : Hash{});
    m_reply->setReply(m_context.drafts.text(placeOf(modelRequest)));
    m_reader->setNote(tr("Loading the prompt…"));
    say({});
    refresh();
}

void OpenPromptsPage::showPart()
{
    const QString text = textOf(static_cast<Part>(m_parts->current()));
    m_copy->setEnabled(!text.isEmpty());
    m_save->setEnabled(!text.isEmpty());
    if (text.isEmpty())
        m_reader->setNote(
            m_user.isWaiting() || m_system.isWaiting() ? tr("Loading the prompt…") : tr("This part is empty."));
    else
        m_reader->setNumbered(text);
}

void OpenPromptsPage::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    m_model.show(snapshot);
    const int open = m_model.rowCount();
    showAnswered();
    m_stack->setCurrentIndex(open > 0 || m_answeredModel.rowCount() > 0 ? 1 : 0);
    if (open == 0) {
        const bool byHand = snapshot.status.answersByHand || snapshot.run.settings.proposer.starts_with("manual");
        m_nothing->setText(!snapshot.status.sessionOpen
                ? tr("No session is open.\nIf the proposer is “Manual replies”, prompts wait here for your replies.")
                : byHand ? whyNothingIsOut(snapshot)
                         : tr("No prompts are waiting.\nThe proposer of this session is “%1”; prompts come here with "
                              "“Manual replies”.")
                               .arg(proposerTitle(text(snapshot.run.settings.proposer))));
        return showNothingOut();
    }
    m_listTitle->setSubText(counted(open, tr("%1 open prompt"), tr("%1 open prompts")));
    int row = m_model.rowOf(m_chosen);
    if (row < 0) {
        m_context.drafts.drop(placeOf(m_chosen));
        m_chosen = {};
        m_reply->setReply({});
        row = 0;
        choose(m_model.at(0)->id);
        return;
    }
    if (m_table->currentIndex().row() != row)
        m_table->selectRow(row);
    const ModelRequest& modelRequest = *m_model.at(row);
    m_readerTitle->setSubText(tr("%1 %2 · template %3")
                                  .arg(text(islandLetter(modelRequest.island)), turnWords(modelRequest),
                                      templateWords(snapshot.run, modelRequest)));
    m_reply->setOpen(true);
    const std::string file
        = snapshot.pack && !snapshot.pack->task.sources.empty() ? snapshot.pack->task.sources.front() : std::string();
    m_reply->serve(m_parentText, file, modelRequest.focus == Focus::Rewrite ? AskedFor::Block : AskedFor::Patch);
}

} // namespace tilewright::ui
