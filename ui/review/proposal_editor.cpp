// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_editor.h"

#include "ui/code/editor_colours.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposalEditor::ProposalEditor(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_text(new QPlainTextEdit(this))
    , m_refused(new QLabel(this))
{
    m_text->setObjectName(u"reviewEditor"_s);
    m_text->setAccessibleName(tr("Your text of the program"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(fontOf(Type::Code));
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
    column->addWidget(m_text, 1);
    column->addWidget(m_refused);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (m_stage == Stage::Closed)
            return;
        if (m_text->toPlainText() == m_original)
            m_desk.drafts.drop(m_place);
        else
            m_desk.drafts.keep(m_place, m_text->toPlainText());
    });
    connect(&desk.session.door(), &EngineDoor::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (m_stage == Stage::Sent)
                refuse(hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint));
        });
}

bool ProposalEditor::hasDraft(const Candidate& candidate) const
{
    return m_desk.drafts.contains(Drafts::placeOf(u"edit"_s, candidate));
}

void ProposalEditor::open(const Candidate& candidate, const QString& text)
{
    m_candidate = candidate.id;
    m_original = text;
    m_place = Drafts::placeOf(u"edit"_s, candidate);
    m_text->setPlainText(m_desk.drafts.contains(m_place) ? m_desk.drafts.text(m_place) : text);
    setStage(Stage::Open);
    m_text->setFocus();
}

void ProposalEditor::send(const QString& reason)
{
    if (m_stage != Stage::Open)
        return;
    m_refused->setVisible(false);
    setStage(Stage::Sent);
    m_desk.session.door().approveEdited(m_candidate, m_text->toPlainText(), reason);
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
