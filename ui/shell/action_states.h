// SPDX-License-Identifier: GPL-3.0-or-later
// Which actions make sense now. GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/shell/mode.h"

namespace tilewright::ui {

class ReviewPage;
class SettingUndo;

void enableActions(const Desk& desk, const ReviewPage& review, const SettingUndo& undo, Mode mode);

} // namespace tilewright::ui
