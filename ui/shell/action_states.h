// SPDX-License-Identifier: GPL-3.0-or-later
// Which actions make sense now. GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/shell/mode.h"

namespace tilewright::ui {

class ReviewPage;
class UndoController;

/// Whether this machine has a device of the kind that the session's task is for, so that its programs can be measured
/// anew though its own device is not here.
bool canReplayHere(const Snapshot& snapshot);

void enableActions(const Desk& desk, const ReviewPage& review, const UndoController& undo, Mode mode);

} // namespace tilewright::ui
