// SPDX-License-Identifier: GPL-3.0-or-later
// The Review page while a user writes in the place of a proposal.
#include "ui/review/review_page.h"

#include "ui/review/change_reader.h"
#include "ui/review/decision_bar.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/proposal_head.h"
#include "ui/review/review_list.h"

#include <QApplication>
#include <utility>

namespace tilewright::ui {

void ReviewPage::connectEditing()
{
    connect(m_reader, &ChangeReader::arrived, this, [this] {
        if (std::exchange(m_editsOnceRead, false))
            edit();
    });
    connect(m_queue, &ReviewList::blocked, this, &ReviewPage::leaveFor);
    connect(&m_queue->openEdit(), &OpenEditNote::kept, this, [this](CandidateId wanted) {
        leaveEditing();
        readAlone(wanted);
    });
    connect(&m_queue->openEdit(), &OpenEditNote::discarded, this, [this](CandidateId wanted) {
        m_editor->discard();
        readAlone(wanted);
    });
    connect(m_bar, &DecisionBar::accepted, m_editor, [this] {
        m_beyondEdited = m_queue->beyondChosen();
        m_editor->send(m_bar->reason());
    });
    connect(m_editor, &ProposalEditor::accepted, m_bar, &DecisionBar::accepted);
    connect(m_bar, &DecisionBar::cancelled, m_editor, &ProposalEditor::discard);
    connect(m_editor, &ProposalEditor::stageChanged, this, &ReviewPage::showStage);
    connect(m_editor, &ProposalEditor::progressed, this, &ReviewPage::showChosen);
}

bool ReviewPage::isEditing() const { return m_editor->stage() != ProposalEditor::Stage::Closed; }

bool ReviewPage::canEdit() const { return canDecide() && m_queue->chosen().size() == 1; }

void ReviewPage::edit()
{
    const Candidate* candidate = m_context.session.run().candidate(m_chosen);
    if (!canEdit() || !candidate)
        return;
    m_editsOnceRead = !m_reader->after() || !m_reader->before();
    if (!m_editsOnceRead)
        m_editor->open(*candidate, *m_reader->after(), *m_reader->before());
}

void ReviewPage::leaveFor(CandidateId wanted)
{
    if (!isEditing() || wanted == m_chosen)
        return;
    if (m_editor->stage() == ProposalEditor::Stage::Sent)
        return m_queue->openEdit().tellSent(m_chosen);
    if (m_editor->progress().step != EditProgress::Step::Unchanged)
        return m_queue->openEdit().ask(m_chosen, wanted);
    leaveEditing();
    readAlone(wanted);
}

void ReviewPage::leaveEditing()
{
    m_editsOnceRead = false;
    if (isEditing())
        m_editor->end();
}

void ReviewPage::showStage()
{
    const ProposalEditor::Stage stage = m_editor->stage();
    const bool had = isAncestorOf(QApplication::focusWidget());
    m_queue->setUsable(stage == ProposalEditor::Stage::Closed); // one at a time
    // What has the keyboard is hidden or disabled next: Qt would hand it to whatever comes first, the modes at the
    // left.
    if (had && stage == ProposalEditor::Stage::Closed)
        m_queue->setFocus();
    else if (had && stage != ProposalEditor::Stage::Open)
        m_editor->setFocus();
    m_reader->showEditor(stage != ProposalEditor::Stage::Closed);
    m_bar->setMode(stage == ProposalEditor::Stage::Closed ? DecisionBar::Mode::Reading
            : stage == ProposalEditor::Stage::Open        ? DecisionBar::Mode::Editing
            : stage == ProposalEditor::Stage::Checked     ? DecisionBar::Mode::Checked
                                                          : DecisionBar::Mode::Sent);
    showChosen();
    Q_EMIT changed();
}

} // namespace tilewright::ui
