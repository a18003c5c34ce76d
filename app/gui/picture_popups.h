// SPDX-License-Identifier: GPL-3.0-or-later
// What opens over the screens, as pictures(): popups, dialogs and menus, each opened as a user would. GUI thread.
#pragma once

#include "app/gui/pictures.h"

namespace tilewright::gui {

std::vector<Picture> popupPictures();

} // namespace tilewright::gui
