// SPDX-License-Identifier: GPL-3.0-or-later
// The Review mode: what waits for a user, the chosen one to read beside its parent, and the words on it. A word that
// was said can be taken back until measuring starts. Where nothing waits, the selected candidate is read. GUI thread.
#pragma once

#include "ui/models/first_result.h"
#include "ui/review/decision_bar.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace tilewright::ui {

class ChangeReader;
class DecisionBar;
class ShortcutGuard;
class ProposalEditor;
class ProposalHead;
class ReasonDrafts;
class ReviewFacts;
class ReviewList;
class Workspace;

class ReviewPage : public QWidget, public Screen
{
    Q_OBJECT

public:
    explicit ReviewPage(const ViewContext& context, QWidget* parent = nullptr);

    static void addActions(ActionRegistry& actions); ///< "review.approve" and what else decides on edits

    QWidget& asWidget() override { return *this; }
    Workspace* docks() override { return m_docks; }
    QString statusText() override;
    int badge() const override;
    void enableActions(bool isShown) override;
    void addFinderPlaces(std::vector<FinderPlace>& places) override;
    /// How soon earlier sessions had their first results.
    void setEarlier(std::vector<SessionStart> earlier);
    CandidateId chosen() const { return m_chosen; }
    void choose(CandidateId candidate);
    void setLoading(bool loading) override;
    /// The next or previous one that waits.
    void goTo(int step);
    void goToChange(int step);
    bool canFind() const override { return true; }
    void find() override;
    /// What is chosen, but not those whose edit the user has begun: these are given back. One alone is approved as it
    /// is when that is wanted again.
    std::vector<CandidateId> approve();
    void edit(); ///< opens the user's text of the chosen one
    /// Another one is wanted while the user's text is open: it is read at once where nothing was written, else asked.
    void leaveFor(CandidateId wanted);
    void leaveEditing(); ///< closes it; a draft of it is kept
    void reject(); ///< asks for the reason; only that, sent off, rejects
    void defer();
    void judge(); ///< asks a model what it thinks of the chosen one
    /// The word on these was just taken back: they wait again in a moment. The reason stands in its field again.
    void comeBackTo(const std::vector<CandidateId>& candidates);
    /// Another policy was wanted, and it was asked whether what waits is to be approved: no. False: nothing was asked.
    bool leavePolicy();
    /// All that wait, whatever is chosen, but for those whose edit the user has begun: these are given back.
    std::vector<CandidateId> approveAll();
    void showPolicyOf(IslandId island); ///< in the policy box, which gets the focus
    void wantPolicy(ReviewPolicy policy); ///< for all islands; what that would approve is asked about
    void chooseAll(); ///< a word is on all that wait
    void extend(int step); ///< a word is on the next or previous one as well
    void look(); ///< asks for a quick result of the chosen one
    bool isEditing() const; ///< a user's own text of a proposal is open
    bool canDecide() const;
    bool canEdit() const; ///< one alone
    bool canLook() const;
    QString whyNoLook() const; ///< for a user; empty where there is nothing to say
    bool canBeJudged() const;
    QString whyNoJudge() const; ///< the same

Q_SIGNALS:
    /// What can be done has changed.
    void changed();

protected:
    void showEvent(QShowEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    void connectEditing();
    void refresh();
    void showChosen();
    void readAlone(CandidateId candidate); ///< and a word is on it alone
    bool noteWhetherItWaits(); ///< the chosen one
    void goOn(); ///< from one that was decided to what waits next
    void tellWord(const Candidate& candidate, bool waits);
    /// Diff or editor, as far as the user's own text has come.
    void showStage();
    bool isReviewed(CandidateId candidate) const; ///< it waits, or was decided on
    CandidateId readable() const;
    void say(Decision decision); ///< on all that are chosen
    void say(Decision decision, const std::vector<CandidateId>& all);
    /// The others, and those whose edit the user has begun.
    std::pair<std::vector<CandidateId>, std::vector<CandidateId>> apartFromBegun(
        const std::vector<CandidateId>& candidates) const;
    void rejectWithReason();

    ViewContext m_context;
    Workspace* m_docks;
    QStackedWidget* m_stack;
    ReviewList* m_queue;
    QLabel* m_nothing;
    ProposalHead* m_head;
    ChangeReader* m_reader;
    ProposalEditor* m_editor;
    ReviewFacts* m_facts;
    DecisionBar* m_bar;
    ShortcutGuard* m_letters;
    ReasonDrafts* m_reasons;
    std::vector<SessionStart> m_earlier;
    CandidateId m_chosen;
    CandidateId m_begunAsked; ///< whose approval was asked for last, alone
    CandidateId m_beyondEdited; ///< what comes after the one whose text was sent
    std::vector<CandidateId> m_said; ///< whose word the engine has yet to take: they wait only in the list
    bool m_waited = false; ///< the chosen one, when it was looked at last
    bool m_isLeftBehind = false; ///< it was decided, and nothing waited that could be shown in its place
    ReasonAsked m_asksReason = ReasonAsked::No; ///< of a rejection without one
    bool m_editsOnceRead = false; ///< the editor opens when the texts are there
};

} // namespace tilewright::ui
