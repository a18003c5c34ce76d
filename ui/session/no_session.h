// SPDX-License-Identifier: GPL-3.0-or-later
// What an empty screen offers while no session is open: a new one, a file, the demo. GUI thread.
#pragma once

#include "ui/session/view_context.h"

#include <QLabel>

namespace tilewright::ui {

/// The note in the middle of a page, with buttons for new, open and demo below it. They are hidden while a session is
/// open. The page owns the note.
QWidget* withSessionButtons(const ViewContext& context, QLabel* note, QWidget* parent);

} // namespace tilewright::ui
