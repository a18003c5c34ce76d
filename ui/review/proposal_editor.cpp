// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_editor.h"

#include "core/model/reviews/review_queue.h"
#include "ui/code/editor_colours.h"
#include "ui/diff/writing_diff.h"
#include "ui/models/display_text.h"
#include "ui/review/proposal_head.h"
#include "ui/theme/theme.h"
#include "ui/widgets/numbered_editor.h"

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposalEditor::ProposalEditor(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_diff(new WritingDiff(this))
    , m_text(&m_diff->editor())
    , m_refused(new QLabel(this))
    , m_checker(new EditChecker(context, EditAs::Replacement, this))
{
    setObjectName(u"proposalEditor"_s);
    m_text->setObjectName(u"reviewEditor"_s);
    m_text->setAccessibleName(tr("Your text of the program"));
    m_text->installEventFilter(this);
    setFocusProxy(m_text);
    new EditorColours(m_text->document());
    m_refused->setObjectName(u"editRefused"_s);
    m_refused->setTextFormat(Qt::PlainText);
    m_refused->setWordWrap(true);
    m_refused->setMargin(px(10));
    m_refused->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_refused->setProperty("tone", u"bad"_s);
    m_refused->setVisible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_diff, 1);
    column->addWidget(m_refused);
    connect(m_text, &NumberedEditor::edited, this, [this] {
        if (m_stage != Stage::Closed)
            takeText();
    });
    connect(m_text, &NumberedEditor::refused, this, [this] {
        m_refused->setText(WritingDiff::whyRefused());
        m_refused->setVisible(true);
    });
    connect(m_diff, &WritingDiff::marked, this, &ProposalEditor::progressed);
    connect(m_diff, &WritingDiff::moved, this, &ProposalEditor::moved);
    connect(m_checker, &EditChecker::known, this, &ProposalEditor::takeCheck);
    connect(m_checker, &EditChecker::cancelled, this, [this] {
        if (m_stage == Stage::Checked)
            setStage(Stage::Open); // nor is it approved
    });
    connect(m_checker, &EditChecker::progressed, this, &ProposalEditor::progressed);
    connect(&context.session, &SessionClient::changed, this, &ProposalEditor::dropMeasured);
    connect(&context.session, &SessionClient::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (m_stage == Stage::Sent)
                refuse(hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint));
        });
}

const EditProgress& ProposalEditor::progress() const { return m_checker->progress(); }
int ProposalEditor::removed() const { return m_diff->removed(); }
int ProposalEditor::added() const { return m_diff->added(); }

int ProposalEditor::changes() const { return m_diff->changes(); }
int ProposalEditor::current() const { return m_diff->current(); }

void ProposalEditor::setTitles(const QString& before, const QString& after) { m_diff->setTitles(before, after); }

void ProposalEditor::find() { m_diff->find(); }
void ProposalEditor::setFolded(bool on) { m_diff->setFolded(on); }
void ProposalEditor::setLongLines(SplitDiff::LongLines longLines) { m_diff->setLongLines(longLines); }

void ProposalEditor::setWhitespace(Whitespace whitespace) { m_diff->setWhitespace(whitespace); }

void ProposalEditor::goToChange(int step)
{
    m_diff->goToChange(step);
    m_text->setFocus();
}

bool ProposalEditor::hasDraft(const Candidate& candidate) const
{
    return m_context.drafts.contains(Drafts::placeOf(editDraft, candidate));
}

bool ProposalEditor::eventFilter(QObject* watched, QEvent* event)
{
    const bool canLeave = m_stage == Stage::Open || m_stage == Stage::Checked;
    if (watched == m_text && event->type() == QEvent::KeyPress && canLeave) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isReturn && key->modifiers() == Qt::ControlModifier) {
            Q_EMIT accepted();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            end(); // the draft stays
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ProposalEditor::open(const Candidate& candidate, const QString& text, const QString& parent)
{
    m_candidate = candidate.id;
    m_original = text;
    m_place = Drafts::placeOf(editDraft, candidate);
    m_checker->open(candidate.id, text);
    m_diff->open(parent, m_context.drafts.contains(m_place) ? m_context.drafts.text(m_place) : text);
    setStage(Stage::Open);
    takeText();
    m_text->setFocus();
}

/// The text may be another one now: what was known of the one before says nothing of it.
void ProposalEditor::takeText()
{
    const QString now = m_text->toPlainText();
    if (!m_checker->take(now))
        return;
    if (now == m_original)
        m_context.drafts.drop(m_place);
    else
        m_context.drafts.keep(m_place, now);
    m_refused->setVisible(false);
    showComplaint();
    Q_EMIT progressed();
}

void ProposalEditor::takeCheck()
{
    showComplaint();
    if (m_stage != Stage::Checked)
        return;
    if (m_checker->isKnownBad())
        setStage(Stage::Open); // the complaint is there
    else
        pass();
}

void ProposalEditor::showComplaint()
{
    m_text->markMistake(m_checker->line());
    if (m_checker->isKnownBad())
        m_refused->setText(m_checker->complaint());
    m_refused->setVisible(m_checker->isKnownBad());
}

QString ProposalEditor::word() const
{
    if (m_stage == Stage::Sent)
        return tr("Sent; the patch is being checked…");
    if (m_stage == Stage::Checked)
        return tr("It is built first, and approved if it builds.");
    const EditCheck& check = progress().check;
    switch (progress().step) {
    case EditProgress::Step::Unchanged:
        return tr("No changes yet. Your text is checked and built when you stop typing.");
    case EditProgress::Step::Typing:
    case EditProgress::Step::Running:
        return tr("Checking your text…");
    case EditProgress::Step::Cancelled:
        return tr("The check was cancelled; your text is kept. It is checked again when you change or approve it.");
    case EditProgress::Step::Known:
        break;
    }
    return check.end == EditCheckEnd::Builds ? tr("Your text builds. Approving queues its measurement.")
        : check.end == EditCheckEnd::Untried
        ? tr("Your text applies; no compiler is available here to build it. It can be approved.")
        : tr("Your text cannot be approved yet: see its checks.");
}

QString ProposalEditor::obstacle() const
{
    return progress().step == EditProgress::Step::Unchanged
        ? tr("No changes yet. To approve it without edits, press Esc, then Approve.")
        : m_checker->complaint();
}

void ProposalEditor::send(const QString& reason)
{
    if (m_stage != Stage::Open || !obstacle().isEmpty())
        return; // which is told
    m_reason = reason;
    m_refused->setVisible(false);
    if (progress().step == EditProgress::Step::Known)
        return pass();
    setStage(Stage::Checked);
    m_checker->askNow();
}

void ProposalEditor::pass()
{
    setStage(Stage::Sent);
    m_context.session.execute(
        commands::ApproveEdited{m_candidate, m_checker->text().toStdString(), m_reason.toStdString()});
}

bool ProposalEditor::isTaken()
{
    const RunState& run = m_context.session.run();
    const Candidate* candidate = m_stage == Stage::Sent ? run.candidate(m_candidate) : nullptr;
    const Review* review = candidate ? run.review(candidate->review) : nullptr;
    if (!review || review->undone || review->decision != Decision::Edited)
        return false;
    end(); // the draft stays: the word can be taken back, and the text is wanted then
    return true;
}

/// The texts of words that can no longer be taken back.
void ProposalEditor::dropMeasured()
{
    if (m_context.drafts.places(editDraft + u'/').isEmpty())
        return; // a snapshot comes ten times a second
    const RunState& run = m_context.session.run();
    for (const Review& review : run.reviews)
        if (review.decision == Decision::Edited && !review.undone && measuredAfter(run, review))
            m_context.drafts.drop(Drafts::placeOf(editDraft, *run.candidate(review.candidate)));
}

void ProposalEditor::refuse(const QString& why)
{
    m_refused->setText(tr("Not accepted: %1").arg(why));
    m_refused->setVisible(true);
    setStage(Stage::Open);
    m_text->setFocus();
}

void ProposalEditor::discard()
{
    end();
    m_context.drafts.discard(m_place);
}

void ProposalEditor::end()
{
    m_checker->drop();
    m_refused->setVisible(false);
    setStage(Stage::Closed);
}

void ProposalEditor::setStage(Stage stage)
{
    m_stage = stage;
    m_text->setReadOnly(stage == Stage::Sent);
    Q_EMIT stageChanged();
}

} // namespace tilewright::ui
