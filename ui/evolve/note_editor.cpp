// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/note_editor.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/ask_box.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

NoteEditor::NoteEditor(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_text(new QPlainTextEdit(this))
    , m_keep(new QPushButton(tr("Keep note"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(8), px(8), px(8), px(8));
    column->setSpacing(px(6));
    m_text->setObjectName(u"candidateNote"_s);
    m_text->setAccessibleName(tr("Your note on the candidate"));
    m_text->setPlaceholderText(tr("Your note. Find it with note:WORD in the filter; prompts never contain it."));
    m_text->setTabChangesFocus(true);
    m_text->installEventFilter(this);
    column->addWidget(m_text, 1);
    m_keep->setObjectName(u"keepNote"_s);
    m_keep->setToolTip(tr("Ctrl+Return"));
    column->addWidget(m_keep, 0, Qt::AlignRight);
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&context.session, &SessionClient::closing, this, [this] { keep(); });
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { refresh(); });
    connect(m_keep, &QPushButton::clicked, this, [this] { keep(); });
    clear();
}

void NoteEditor::clear()
{
    m_candidate = {};
    m_recorded.clear();
    m_text->clear();
    refresh();
}

void NoteEditor::show(CandidateId candidate)
{
    const QString recorded = text(m_context.session.run().marksOf(candidate).note);
    const bool isOther = candidate != m_candidate;
    if (isOther)
        keep();
    const bool isBeingTyped = !isOther && m_text->toPlainText().trimmed() != m_recorded;
    m_candidate = candidate;
    m_recorded = recorded;
    if (!isBeingTyped && m_text->toPlainText().trimmed() != recorded)
        m_text->setPlainText(recorded);
    refresh();
}

void NoteEditor::refresh()
{
    const EngineStatus& status = m_context.session.snapshot().status;
    const bool writable = m_candidate && status.sessionOpen && !status.readOnly;
    m_text->setReadOnly(!writable);
    m_keep->setEnabled(writable && m_text->toPlainText().trimmed() != m_recorded);
}

void NoteEditor::keep()
{
    if (!m_keep->isEnabled())
        return;
    Marks marks = m_context.session.run().marksOf(m_candidate);
    m_recorded = m_text->toPlainText().trimmed();
    marks.note = m_recorded.toStdString();
    m_context.session.execute(commands::SetMarks{m_candidate, std::move(marks)});
    refresh();
}

bool NoteEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        keep();
    if (event->type() == QEvent::KeyPress && isAccept(*static_cast<QKeyEvent*>(event))) {
        keep();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::ui
