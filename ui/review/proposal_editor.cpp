// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/proposal_editor.h"

#include "ui/code/editor_colours.h"
#include "ui/theme/theme.h"
#include "ui/widgets/numbered_editor.h"

#include <QKeyEvent>
#include <QLabel>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// 1-based.
int firstDifference(const QString& text, const QString& parent)
{
    const QStringList lines = text.split(u'\n'), others = parent.split(u'\n');
    const auto at = std::ranges::mismatch(lines, others).in1;
    return static_cast<int>(at - lines.begin()) + 1;
}

} // namespace

ProposalEditor::ProposalEditor(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_text(new NumberedEditor(this))
    , m_refused(new QLabel(this))
{
    m_text->setObjectName(u"reviewEditor"_s);
    m_text->setAccessibleName(tr("Your text of the program"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->installEventFilter(this);
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
        shadeLocked();
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

bool ProposalEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress && m_stage == Stage::Open) {
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

void ProposalEditor::shadeLocked()
{
    QList<QTextEdit::ExtraSelection> shades;
    bool locked = true;
    for (QTextBlock line = m_text->document()->begin(); line.isValid(); line = line.next()) {
        const bool begins = line.text().contains(u"EVOLVE-BLOCK-START"_s);
        locked = locked || line.text().contains(u"EVOLVE-BLOCK-END"_s);
        if (locked) {
            QTextEdit::ExtraSelection shade;
            shade.cursor = QTextCursor(line);
            shade.format.setBackground(tokens().panel);
            shade.format.setProperty(QTextFormat::FullWidthSelection, true);
            shades << shade;
        }
        locked = locked && !begins;
    }
    m_text->setExtraSelections(shades);
}

void ProposalEditor::open(const Candidate& candidate, const QString& text, const QString& parent)
{
    m_candidate = candidate.id;
    m_original = text;
    m_place = Drafts::placeOf(u"edit"_s, candidate);
    m_text->setPlainText(m_desk.drafts.contains(m_place) ? m_desk.drafts.text(m_place) : text);
    shadeLocked();
    m_text->goToLine(firstDifference(text, parent));
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
