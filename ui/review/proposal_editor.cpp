// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_editor.h"

#include "ui/code/editor_colours.h"
#include "ui/diff/writing_diff.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/numbered_editor.h"

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds restBeforeCheck{700}; ///< a build costs more than a comparison

QString withHint(const Error& error)
{
    return error.hint.empty() ? text(error.text)
                              : ProposalEditor::tr("%1 — %2").arg(text(error.text), text(error.hint));
}

} // namespace

ProposalEditor::ProposalEditor(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_diff(new WritingDiff(this))
    , m_text(&m_diff->editor())
    , m_refused(new QLabel(this))
{
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
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeCheck);
    connect(&m_rest, &QTimer::timeout, this, &ProposalEditor::askCheck);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (m_stage != Stage::Closed)
            takeText();
    });
    connect(m_diff, &WritingDiff::marked, this, &ProposalEditor::progressed);
    connect(&desk.session, &Session::editChecked, this, [this](quint64 tag, const EditCheck& check) {
        if (tag != m_tag)
            return; // of a text that was changed since
        m_tag = 0;
        takeCheck(check);
    });
    connect(&desk.session.door(), &EngineDoor::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (m_stage == Stage::Sent)
                refuse(hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint));
        });
}

int ProposalEditor::removed() const { return m_diff->removed(); }
int ProposalEditor::added() const { return m_diff->added(); }

void ProposalEditor::setTitles(const QString& before, const QString& after) { m_diff->setTitles(before, after); }

bool ProposalEditor::hasDraft(const Candidate& candidate) const
{
    return m_desk.drafts.contains(Drafts::placeOf(u"edit"_s, candidate));
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
    m_place = Drafts::placeOf(u"edit"_s, candidate);
    m_known.clear();
    m_progress = {};
    m_diff->open(parent, m_desk.drafts.contains(m_place) ? m_desk.drafts.text(m_place) : text);
    setStage(Stage::Open);
    takeText();
    m_text->setFocus();
}

/// The text may be another one now: what was known of the one before says nothing of it.
void ProposalEditor::takeText()
{
    const QString now = m_text->toPlainText();
    if (now == m_known)
        return; // its colours alone are others
    m_known = now;
    dropCheck();
    const bool isOwn = now == m_original;
    if (isOwn)
        m_desk.drafts.drop(m_place);
    else
        m_desk.drafts.keep(m_place, now);
    m_progress = {isOwn ? EditProgress::Step::Unchanged : EditProgress::Step::Typing, {}};
    if (!isOwn)
        m_rest.start();
    m_refused->setVisible(false);
    showComplaint();
    Q_EMIT progressed();
}

void ProposalEditor::askCheck()
{
    m_rest.stop();
    m_progress = {EditProgress::Step::Running, {}};
    m_tag = m_desk.session.checkEdit(m_candidate, m_known);
    Q_EMIT progressed();
}

void ProposalEditor::dropCheck()
{
    m_rest.stop();
    if (const quint64 tag = std::exchange(m_tag, 0))
        m_desk.session.dropEditCheck(tag);
}

void ProposalEditor::takeCheck(const EditCheck& check)
{
    m_progress = {EditProgress::Step::Known, check};
    showComplaint();
    if (m_stage == Stage::Checked) {
        if (check.isGood())
            pass();
        else
            setStage(Stage::Open); // the complaint is there
    }
    Q_EMIT progressed();
}

void ProposalEditor::showComplaint()
{
    const EditCheck& check = m_progress.check;
    const bool isBad = m_progress.step == EditProgress::Step::Known && !check.isGood();
    m_text->markMistake(isBad ? check.line : 0);
    if (isBad)
        m_refused->setText(check.end == EditCheckEnd::Broken ? tr("It does not build: %1").arg(withHint(check.why))
                                                             : tr("It cannot be taken: %1").arg(withHint(check.why)));
    m_refused->setVisible(isBad);
}

QString ProposalEditor::word() const
{
    if (m_stage == Stage::Sent)
        return tr("Sent; its patch is looked at…");
    if (m_stage == Stage::Checked)
        return tr("It is built first, and approved once it builds.");
    const EditCheck& check = m_progress.check;
    switch (m_progress.step) {
    case EditProgress::Step::Unchanged:
        return tr("Your text is checked and built whenever you rest.");
    case EditProgress::Step::Typing:
    case EditProgress::Step::Running:
        return tr("Your text is being checked…");
    case EditProgress::Step::Known:
        break;
    }
    return check.end == EditCheckEnd::Builds ? tr("Your text builds. Approving queues its measurement.")
        : check.end == EditCheckEnd::Untried
        ? tr("Your text applies; nobody could build it here. Approving queues it all the same.")
        : tr("Your text cannot be approved as it is: see its checks.");
}

void ProposalEditor::send(const QString& reason)
{
    if (m_stage != Stage::Open)
        return;
    m_reason = reason;
    m_refused->setVisible(false);
    if (m_progress.step == EditProgress::Step::Known) {
        if (m_progress.check.isGood())
            return pass();
        return showComplaint();
    }
    setStage(Stage::Checked);
    if (!m_tag)
        askCheck();
}

void ProposalEditor::pass()
{
    setStage(Stage::Sent);
    m_desk.session.door().approveEdited(m_candidate, m_known, m_reason);
}

bool ProposalEditor::isTaken()
{
    const RunState& run = m_desk.session.run();
    const Candidate* candidate = m_stage == Stage::Sent ? run.candidate(m_candidate) : nullptr;
    const Review* review = candidate ? run.review(candidate->review) : nullptr;
    if (!review || review->undone || review->decision != Decision::Edited)
        return false;
    discard();
    return true;
}

void ProposalEditor::refuse(const QString& why)
{
    m_refused->setText(tr("Not taken: %1").arg(why));
    m_refused->setVisible(true);
    setStage(Stage::Open);
    m_text->setFocus();
}

void ProposalEditor::discard()
{
    m_desk.drafts.drop(m_place);
    end();
}

void ProposalEditor::end()
{
    dropCheck();
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
