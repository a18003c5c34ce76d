// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window and where it stands in the menus, as a table. What they do is connected by the window.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

class QMenuBar;
class QMenu;

namespace tilewright::ui {

void addActions(ActionRegistry& actions);
/// Menus from the registry; the docks and their layouts stand under View. The recent-files menu is returned to be
/// filled.
QMenu* fillMenus(QMenuBar& bar, const ActionRegistry& actions, QMenu* panes, QMenu* layouts);

// Other words that people use for what an action does, by which the finder finds it as well. In one table, with the ids
// of the actions.

void addWords(ActionRegistry& actions);

// Which of the actions that belong to no single screen make sense now. `isWriting`: in a text of the user's. GUI
// thread.

class UndoController;

/// Whether this machine has a device of the kind that the session's task is for, so that its programs can be measured
/// anew though its own device is not here.
bool canReplayHere(const Snapshot& snapshot);

void enableActions(const ViewContext& context, const Screen& shown, bool isWriting, const UndoController& undo);

} // namespace tilewright::ui
