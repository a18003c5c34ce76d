// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/hint_editor.h"

#include "core/engine/proposals/proposing.h"
#include "ui/models/display_text.h"
#include "ui/widgets/ask_box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

HintEditor::HintEditor(const RunState& run, IslandId island, Drafts& drafts, QWidget* parent)
    : EditPopup(parent)
    , m_hints(run.settings.hints)
    , m_drafts(drafts)
    , m_unread(text(wordsOfUnreadHints(run.settings.proposer)))
    , m_island(new QComboBox(this))
    , m_text(new QPlainTextEdit(this))
    , m_note(new QLabel(this))
    , m_apply(new QPushButton(tr("Apply  Ctrl+Enter"), this))
{
    setObjectName(u"hintEditor"_s);
    setAccessibleName(tr("Hints"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(14), px(12), px(14), px(12));
    column->setSpacing(px(8));
    m_island->setObjectName(u"hintIsland"_s);
    m_island->setAccessibleName(tr("Scope of the hints"));
    m_island->addItem(tr("In the prompts of all islands"), QVariant::fromValue(std::int64_t(0)));
    for (const Island& one : run.islands)
        if (one.standing != Standing::Ended)
            m_island->addItem(tr("In the prompts of island %1 %2").arg(text(islandLetter(one.id)), text(one.name)),
                QVariant::fromValue(one.id.value));
    m_island->setCurrentIndex(std::max(0, m_island->findData(QVariant::fromValue(island.value))));
    m_text->setObjectName(u"hintText"_s);
    m_text->setAccessibleName(tr("Hints, one per line"));
    m_text->setPlaceholderText(tr("Example: the inner loop is limited by shared memory, not by arithmetic"));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumSize(px(380), px(96));
    m_text->installEventFilter(this); // Ctrl+Enter applies from within the text
    m_note->setObjectName(u"hintNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setWordWrap(true);
    m_apply->setObjectName(u"applyHints"_s);
    m_apply->setProperty("kind", u"primary"_s);
    column->addWidget(m_island);
    column->addWidget(m_text, 1);
    column->addWidget(m_note);
    column->addWidget(m_apply, 0, Qt::AlignRight);
    connect(m_island, &QComboBox::currentIndexChanged, this, [this] { choose(); });
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (m_text->toPlainText().trimmed() == known().trimmed())
            m_drafts.drop(place());
        else
            m_drafts.keep(place(), m_text->toPlainText());
        enable();
    });
    connect(m_apply, &QPushButton::clicked, this, [this] { accept(); });
    choose();
    m_text->setFocus();
}

IslandId HintEditor::island() const { return {m_island->currentData().value<std::int64_t>()}; }

QString HintEditor::known() const
{
    const auto held = m_hints.find(island());
    return held == m_hints.end() ? QString() : text(held->second);
}

QString HintEditor::place() const { return u"hints/%1"_s.arg(island().value); }

void HintEditor::choose()
{
    m_text->setPlainText(m_drafts.contains(place()) ? m_drafts.text(place()) : known());
    m_text->moveCursor(QTextCursor::End);
    enable();
}

void HintEditor::enable()
{
    const QString typed = m_text->toPlainText().trimmed();
    m_apply->setEnabled(typed != known().trimmed());
    restyle(m_note, "tone", m_unread.isEmpty() ? u"secondary"_s : u"warning"_s);
    m_note->setText(!m_unread.isEmpty()  ? asSentence(m_unread)
            : m_drafts.contains(place()) ? tr("Not applied yet: your text is kept here, and prompts do not contain it.")
            : typed.isEmpty()            ? tr("Without hints, prompts contain no text of yours.")
                                         : tr("One hint per line. All prompts from now on contain them."));
}

void HintEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    m_drafts.drop(place());
    Q_EMIT accepted(island(), m_text->toPlainText().trimmed());
    close();
}

void HintEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && event->modifiers() != Qt::ControlModifier)
        return; // a line of the text ends with it
    EditPopup::keyPressEvent(event);
}

bool HintEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_text || event->type() != QEvent::KeyPress)
        return EditPopup::eventFilter(watched, event);
    if (isAccept(*static_cast<QKeyEvent*>(event))) {
        accept();
        return true;
    }
    return EditPopup::eventFilter(watched, event);
}

} // namespace tilewright::ui
