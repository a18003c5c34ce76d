// SPDX-License-Identifier: GPL-3.0-or-later
// The Review mode: what waits for a person, the chosen one to read beside its parent, and the words on it. A word that
// was said can be taken back until measuring starts. Where nothing waits, the selected candidate is read. GUI thread.
#pragma once

#include "ui/review/review_model.h"
#include "ui/session/desk.h"
#include "ui/session/text_slot.h"

#include <QWidget>

class QLabel;
class QListView;
class QStackedWidget;

namespace tilewright::ui {

class CheckList;
class DecisionBar;
class DockTitle;
class PolicyBox;
class ProposalEditor;
class ProposalHead;
class QuickResult;
class ResourceBars;
class Segments;
class SplitDiff;

class ReviewPage : public QWidget
{
    Q_OBJECT

public:
    explicit ReviewPage(const Desk& desk, QWidget* parent = nullptr);

    CandidateId chosen() const { return m_chosen; }
    void choose(CandidateId candidate);
    /// The next or previous one that waits.
    void goTo(int step);
    void goToChange(int step);
    void approve();
    void edit(); ///< opens the person's text of the chosen one
    void reject();
    void defer();
    void judge(); ///< asks a model what it thinks of the chosen one
    void undo(); ///< the newest word that can be taken back
    void look(); ///< asks for a quick result of the chosen one
    bool canDecide() const;
    bool canLook() const;
    bool canBeJudged() const; ///< whoever may be asked: that there is nobody is said when it is tried
    bool canUndo() const;

Q_SIGNALS:
    /// What can be done has changed.
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildQueue();
    QWidget* buildReader();
    QWidget* buildFacts();
    void refresh();
    void showChosen();
    void showTexts();
    void showCounts();
    /// Diff or editor, as far as the person's own text has come.
    void showStage();
    bool isEditing() const;
    bool isReviewed(CandidateId candidate) const; ///< it waits, or was decided on
    CandidateId readable() const;
    void moveOn();
    ReviewId newestUndoable() const;

    Desk m_desk;
    ReviewModel m_waiting{ReviewModel::Part::Waiting}, m_decided{ReviewModel::Part::Decided};
    QStackedWidget *m_stack, *m_reading;
    QLabel* m_nothing;
    DockTitle *m_queueTitle, *m_decidedTitle, *m_diffTitle;
    QListView *m_queue, *m_said;
    PolicyBox* m_policy;
    ProposalHead* m_head;
    SplitDiff* m_diff;
    ProposalEditor* m_editor;
    CheckList* m_checks;
    ResourceBars* m_resources;
    QuickResult* m_quick;
    DecisionBar* m_bar;
    TextSlot m_source, m_parentSource;
    std::optional<QString> m_after, m_before;
    CandidateId m_chosen;
};

} // namespace tilewright::ui
