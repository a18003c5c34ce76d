// SPDX-License-Identifier: GPL-3.0-or-later
// Which actions make sense now. GUI thread.
#pragma once

#include "ui/session/desk.h"

namespace tilewright::ui {

/// canStart: the page of a new session is in front.
void enableActions(const Desk& desk, bool canStart);

} // namespace tilewright::ui
