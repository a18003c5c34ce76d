// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a window can be shown at all, asked before Qt does, which would abort.
#pragma once

#include <QString>

namespace tilewright::gui {

/// Empty if there is a display, else one line that says what to do.
QString displayProblem();

} // namespace tilewright::gui
