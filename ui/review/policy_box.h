// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates wait for a review, to see and to change: for all islands or one, for all kinds of proposers or one;
// and how many may wait before an island asks for no more. GUI thread.
#pragma once

#include "ui/session/view_context.h"

#include <QComboBox>
#include <QFrame>
#include <optional>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class Badge;
class LimitBox;

class PolicyBox : public QFrame
{
    Q_OBJECT

public:
    explicit PolicyBox(const ViewContext& context, QWidget* parent = nullptr);
    void show(const RunState& run, bool canChange);
    /// As if it were chosen in the box for all islands: what it would let through is asked about.
    void wantForAll(ReviewPolicy policy);
    /// Shows the policies of this island (id 0: of all).
    void showIsland(IslandId island);
    /// What was asked about is not wanted. False: nothing was.
    bool leave();

Q_SIGNALS:
    /// And what becomes of those that wait though it does not ask about them.
    void chosen(tilewright::PolicyScope scope, tilewright::ReviewPolicy policy, tilewright::WhatWaits waiting);
    void limited(int perIsland); ///< so many may wait; 0: no limit

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow();
    void sayWhose(const RunState& run);
    QString exceptions() const;
    QString lowerLimit(IslandId island) const;
    QString stillWaits() const;
    void want(ReviewPolicy policy);
    void settle(); ///< what was wanted is sent, or not wanted any more
    void answer(WhatWaits waiting); ///< to what was asked
    IslandId island() const; ///< whose policy is shown; id 0: of all
    PolicyScope scope() const; ///< what the chosen policy is for
    std::optional<ReviewPolicy> shownPolicy() const; ///< none where it differs by proposer
    QString aboutShown() const;

    const ViewContext& m_context;
    QBoxLayout* m_choice; ///< both boxes, below each other where they have no room side by side
    QComboBox *m_island, *m_proposer, *m_policy;
    std::vector<IslandId> m_listed; ///< of m_island, behind "all"
    LimitBox* m_limit;
    Badge* m_badge;
    QLabel *m_whose, *m_about, *m_consequence;
    QPushButton *m_letThrough, *m_fromNowOn, *m_leave;
    RunSettings m_settings;
    std::optional<ReviewPolicy> m_wanted; ///< it would let some through: the user is asked first
};

// How many edits of an island may wait for a user before it asks for no more, to choose from a few numbers. GUI
// thread.

class LimitBox : public QComboBox
{
    Q_OBJECT

public:
    explicit LimitBox(QWidget* parent = nullptr);
    void show(int perIsland); ///< 0: no limit; offered too, whatever it is
    int limit() const;

Q_SIGNALS:
    void limited(int perIsland); ///< by the user
};

} // namespace tilewright::ui
