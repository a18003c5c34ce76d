// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a window can be shown at all, asked before Qt does, which would abort; and a screen for pictures, which need
// none.
#pragma once

#include <QSize>
#include <QString>
#include <QTemporaryFile>
#include <memory>

namespace tilewright::gui {

/// Empty if there is a display, else one line that says what to do.
QString displayProblem();

/// From here on a window stands on a screen of this size that nobody sees, so that what opens over it stands where it
/// does for a person. Before there is an application, which reads the file that it returns.
std::unique_ptr<QTemporaryFile> useUnseenScreen(const QSize& size);

} // namespace tilewright::gui
