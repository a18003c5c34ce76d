// SPDX-License-Identifier: GPL-3.0-or-later
// The left of the Review mode: what waits, what was decided, and the policy. One that waits is read; several can be
// chosen, and a word is then on all of them. GUI thread.
#pragma once

#include "ui/review/review_model.h"
#include "ui/session/view_context.h"

#include <QScrollArea>

class QLabel;
class QListView;

namespace tilewright::ui {

class AutomaticNote;
class DockTitle;
class ElidedLabel;
class ShortcutNote;
class OpenEditNote;
class PolicyBox;
class QuietList;
class RowInSight;

class ReviewList : public QScrollArea
{
    Q_OBJECT

public:
    explicit ReviewList(const ViewContext& context, QWidget* parent = nullptr);

    DockTitle* title() const { return m_queueTitle; } ///< stands above it, wherever that is
    void show(const Snapshot& snapshot);
    int count() const { return m_waiting.rowCount(); } ///< that wait
    bool waits(CandidateId candidate) const { return m_waiting.rowOf(candidate) >= 0; }
    bool isDecided(CandidateId candidate) const { return m_decided.rowOf(candidate) >= 0; }
    /// The one that waits so many places after it, around the ends; the first where it does not wait; none where none
    /// does.
    CandidateId after(CandidateId candidate, int step) const;
    /// The first that waits and is none of these; none where no other does.
    CandidateId firstBut(const std::vector<CandidateId>& candidates) const;
    /// What comes after those that are chosen, or before them; none where nothing else waits.
    CandidateId beyondChosen() const;

    /// This one is read. Others that are chosen stay so if it is one of them.
    void point(CandidateId candidate, const QString& whyItWaits);
    /// What a word is on, in the order of the list: those that wait and were chosen, with the one that is read.
    std::vector<CandidateId> chosen() const;
    void choose(const std::vector<CandidateId>& candidates);
    void chooseAll();
    /// These are chosen again, the first of them read.
    void comeBackTo(const std::vector<CandidateId>& candidates);
    /// From the first that was chosen to the neighbour of the one that is read.
    void extend(int step);
    void tellTime(); ///< how long rows wait
    void sayWhatFinds(); ///< a word was typed, and letters are orders
    void setUsable(bool usable); ///< the lists, not the policy
    bool leavePolicy(); ///< as ReviewPage
    void wantPolicy(ReviewPolicy policy); ///< the same
    void showPolicyOf(IslandId island); ///< the same
    OpenEditNote& openEdit() { return *m_openEdit; } ///< seen above the list until the lists can be used again

Q_SIGNALS:
    void read(tilewright::CandidateId candidate); ///< a user wants to
    void chosenChanged();
    void blocked(tilewright::CandidateId wanted); ///< a row was pressed while the lists are of no use

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QuietList* listOf(ReviewModel& model, const QString& name, const QString& accessible, const QString& nothing);
    void follow(const QListView* list, const QModelIndex& index);
    void takeSelection();
    void applySelection();
    void selectRows();
    void setPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting);

    ViewContext m_context;
    ReviewModel m_waiting{ReviewModel::Part::Waiting}, m_decided{ReviewModel::Part::Decided};
    DockTitle *m_queueTitle, *m_decidedTitle;
    QLabel* m_limit; ///< how many may wait
    OpenEditNote* m_openEdit;
    AutomaticNote* m_automatic;
    ElidedLabel* m_why; ///< the one that is read waits
    ShortcutNote* m_letters;
    QuietList *m_queue, *m_said;
    RowInSight* m_sight; ///< of the one that is read
    PolicyBox* m_policy;
    CandidateId m_read, m_anchor; ///< anchor: where extend() began
    CandidateId m_sought; ///< it was brought into sight
    std::vector<CandidateId> m_chosen;
    bool m_isOurs = false; ///< the lists are being set from here, or a user is just doing it
};

} // namespace tilewright::ui
