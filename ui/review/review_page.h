// SPDX-License-Identifier: GPL-3.0-or-later
// The Review mode: what waits for a person, the chosen one to read beside its parent, and the words on it. A word that
// was said can be taken back until measuring starts. GUI thread.
#pragma once

#include "ui/review/review_model.h"
#include "ui/session/desk.h"
#include "ui/session/text_slot.h"

#include <QWidget>

class QLabel;
class QListView;
class QPlainTextEdit;
class QStackedWidget;

namespace tilewright::ui {

class Badge;
class CheckList;
class ClaimCard;
class DecisionBar;
class DockTitle;
class PolicyBox;
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
    void showJudgement();
    void showTexts();
    void showCounts();
    void endEditing();
    void discardEdit();
    QString placeOfEdit() const; ///< among the drafts
    void submitEdit();
    /// The engine's word on the edit that was sent: it is in the run, or it is refused and stays open.
    void lookAtEdit();
    void refuseEdit(const QString& why);
    void moveOn();
    ReviewId newestUndoable() const;

    Desk m_desk;
    ReviewModel m_waiting{ReviewModel::Part::Waiting}, m_decided{ReviewModel::Part::Decided};
    QStackedWidget *m_stack, *m_reading;
    QLabel* m_nothing;
    DockTitle *m_queueTitle, *m_decidedTitle, *m_diffTitle;
    QListView *m_queue, *m_said;
    PolicyBox* m_policy;
    QLabel *m_name, *m_about, *m_reasoning, *m_judged;
    Badge* m_badge;
    ClaimCard* m_claim;
    SplitDiff* m_diff;
    QWidget* m_writing; ///< the editor and what was said against its text
    QPlainTextEdit* m_editor;
    QLabel* m_refused;
    CheckList* m_checks;
    ResourceBars* m_resources;
    QuickResult* m_quick;
    DecisionBar* m_bar;
    TextSlot m_source, m_parentSource;
    std::optional<QString> m_after, m_before;
    CandidateId m_chosen;
    QString m_notJudged; ///< why nobody could be asked about the chosen one
    bool m_judging = false; ///< asked for; the engine has yet to say whether it can be
    bool m_editing = false, m_sent = false; ///< sent: the engine has yet to say whether it takes the text
};

} // namespace tilewright::ui
