// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/injection_editor.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"
#include "ui/widgets/tone.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

InjectionEditor::InjectionEditor(const Desk& desk, CandidateId parent, QWidget* over)
    : QDialog(over)
    , m_desk(desk)
    , m_parent(parent)
    , m_source(desk.session, this)
    , m_text(new QPlainTextEdit(this))
    , m_why(new QLineEdit(this))
    , m_said(new QLabel(this))
    , m_startOver(new QPushButton(tr("Start over"), this))
    , m_send(new QPushButton(tr("Check and measure"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"injectionEditor"_s);
    setWindowTitle(tr("Your version of %1").arg(nameOfCandidate(parent)));
    openAs(*this, 860, 680, over);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(px(8));
    auto* note = new QLabel(
        tr("What stands between the EVOLVE-BLOCK markers may change. Your version is built, checked and measured as "
           "any other candidate; it waits for no review."),
        this);
    note->setWordWrap(true);
    note->setProperty("tone", u"secondary"_s);
    column->addWidget(note);
    m_text->setObjectName(u"injectedText"_s);
    m_text->setAccessibleName(tr("Program"));
    m_text->setFont(fontOf(Type::Mono));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    column->addWidget(m_text, 1);
    m_why->setObjectName(u"injectedWhy"_s);
    m_why->setAccessibleName(tr("Why: stands beside it as its reasoning"));
    m_why->setPlaceholderText(tr("Why: stands beside it as its reasoning"));
    column->addWidget(m_why);
    m_said->setObjectName(u"injectionSaid"_s);
    m_said->setWordWrap(true);
    m_said->setVisible(false);
    column->addWidget(m_said);
    m_send->setObjectName(u"sendInjection"_s);
    m_send->setProperty("kind", u"primary"_s);
    m_send->setEnabled(false); // until the program is here
    m_startOver->setObjectName(u"startOver"_s);
    m_startOver->setToolTip(tr("Back to the program as %1 has it").arg(nameOfCandidate(parent)));
    m_startOver->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_startOver);
    row->addWidget(m_send);
    column->addLayout(row);
    connect(&m_source, &TextSlot::ready, this, [this](const QString& program) {
        m_program = program;
        const bool isBegun = m_desk.drafts.contains(m_place);
        const QString begun = m_desk.drafts.text(m_place);
        m_send->setEnabled(true);
        m_text->setPlainText(isBegun ? begun : program);
        if (isBegun) {
            restyle(m_said, "tone", u"secondary"_s);
            m_said->setText(tr("This is what you had written here before."));
            m_said->setVisible(true);
        }
    });
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { keep(); });
    connect(m_startOver, &QPushButton::clicked, this, [this] {
        m_text->setPlainText(*m_program);
        m_said->setVisible(false);
    });
    connect(m_send, &QPushButton::clicked, this, [this] { send(); });
    connect(&desk.session, &Session::changed, this, [this] { look(); });
    connect(&desk.session, &Session::replaced, this, [this] { close(); });
    connect(&desk.session.door(), &EngineDoor::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (!m_sentAt)
                return;
            m_sentAt = 0;
            m_send->setEnabled(true);
            restyle(m_said, "tone", u"bad"_s);
            m_said->setText(hint.isEmpty() ? words : tr("%1: %2").arg(words, hint));
            m_said->setVisible(true);
        });
    if (const Candidate* candidate = desk.session.run().candidate(parent)) {
        m_place = Drafts::placeOf(u"own"_s, *candidate);
        m_source.request(candidate->source);
    }
}

void InjectionEditor::keep()
{
    if (!m_program)
        return;
    const bool isBegun = m_text->toPlainText() != *m_program;
    m_startOver->setEnabled(isBegun);
    if (isBegun)
        m_desk.drafts.keep(m_place, m_text->toPlainText());
    else
        m_desk.drafts.drop(m_place);
}

void InjectionEditor::send()
{
    m_sentAt = m_desk.session.run().candidates.size();
    m_send->setEnabled(false);
    m_said->setVisible(false);
    m_desk.session.door().pull(
        levers::Inject{m_parent, {}, m_text->toPlainText().toStdString(), m_why->text().trimmed().toStdString()});
}

/// Taken: the newest candidate of a person's is this one.
void InjectionEditor::look()
{
    const RunState& run = m_desk.session.run();
    if (!m_sentAt)
        return;
    for (std::size_t i = m_sentAt; i < run.candidates.size(); ++i) {
        const Candidate& candidate = run.candidates[i];
        if (isHandwritten(run, candidate) && !candidate.parents.empty() && candidate.parents.front() == m_parent) {
            m_desk.drafts.drop(m_place);
            m_desk.selection.select(candidate.id);
            close();
            return;
        }
    }
}

} // namespace tilewright::ui
