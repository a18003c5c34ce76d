// SPDX-License-Identifier: GPL-3.0-or-later
// The actions that do something to the current candidate: what each sends to the engine, when each can, and the menu of
// them that the table and the inspector show. GUI thread; lives with the page.
#pragma once

#include "ui/session/view_context.h"

#include <functional>

class QMenu;

namespace tilewright::ui {

class AskBox;

class CandidateActions : public QObject
{
    Q_OBJECT

public:
    /// `over`: what popups stand above.
    CandidateActions(const ViewContext& context, QWidget* over);

    /// Adds the actions to the registry; before a CandidateActions is made.
    static void addTo(ActionRegistry& actions);
    /// Puts them into a menu, in groups.
    static void fill(QMenu& menu, const ActionRegistry& actions);

    /// Enables what can be done to the current candidate, and checks what is marked.
    void refresh();
    /// The menu at a place of the screen.
    void popUp(const QPoint& global);

private:
    CandidateId current() const { return m_context.selection.current(); }
    void on(const char* id, std::function<void()> does);
    void execute(const Command& command);
    void undoMaking();
    /// With the marks that `change` makes of the present ones.
    void mark(const std::function<void(Marks&)>& change);
    void askForBoost();
    void askForTags();
    /// Asks; what is typed is refused in the box where the marks it makes are not orderly.
    void askForMark(AskBox& box, CandidateId id, const std::function<void(Marks&, QString)>& take);
    void askForCount();
    void askForIdea();
    void askForRerun();
    void askForIsland(Placing placing);
    void writeOwn();

    ViewContext m_context;
    QWidget* m_over;
};

} // namespace tilewright::ui
