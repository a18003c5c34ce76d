// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window and where it stands in the menus, as a table. What they do is connected by the window.
#pragma once

#include "ui/session/action_registry.h"

class QMenuBar;
class QMenu;

namespace tilewright::ui {

void addActions(ActionRegistry& actions);
/// Menus from the registry; the docks and their layouts stand under View. The recent-files menu is returned to be
/// filled.
QMenu* fillMenus(QMenuBar& bar, const ActionRegistry& actions, QMenu* panes, QMenu* layouts);

} // namespace tilewright::ui
