// SPDX-License-Identifier: GPL-3.0-or-later
// What opens over the screens, as screens(): popups, dialogs and menus, each opened as a person would. GUI thread.
#pragma once

#include "ui/shell/screens.h"

namespace tilewright::ui {

std::vector<Screen> popupScreens();

} // namespace tilewright::ui
