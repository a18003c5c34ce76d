// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: run control, budgets, the best candidate, the finder. GUI thread.
#pragma once

#include "core/engine/session/run_activity.h"
#include "ui/session/view_context.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class BestBadge;
class Meter;

class RunBar : public QFrame
{
    Q_OBJECT

public:
    explicit RunBar(const ViewContext& context, QWidget* parent = nullptr);

    /// Where the budgets stand, for the popup that changes them.
    QWidget* budgetPlace();
    /// What is said without a session depends on where one is set up from.
    void setWelcomeShown(bool shown);
    /// Narrower than its parts would like: it drops words first.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void budgetRequested(QWidget* near);
    void openPromptsRequested(); ///< to where prompts that wait for a reply stand

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* button(const QString& action);
    QWidget* pauseWays();
    QPushButton* stateButton();
    void showState();
    QPushButton* waitingWays();
    void tellWhatWaits();
    void sayWhereOneBegins();
    void refresh();
    void fitWords();
    void fitFigures();

    ViewContext m_context;
    QPushButton* m_state; ///< why a run that is started does nothing now; leads to where that is changed
    QPushButton *m_run, *m_pause, *m_extend;
    QPushButton* m_waits; ///< edits that wait for the user hold islands up: how many, with ways out
    Meter *m_evaluations, *m_tokens, *m_cost, *m_wall, *m_noGain;
    QPushButton* m_find;
    BestBadge* m_best;
    bool m_isWelcomeShown = true;
    RunActivity m_activity; ///< that is shown
    QLabel* m_nothing;
    QPushButton* m_welcome; ///< to where a session is set up
};

} // namespace tilewright::ui
