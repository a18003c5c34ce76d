// SPDX-License-Identifier: GPL-3.0-or-later
// What widgets were given in pixels and points when they were made, for another size of the application's font. Style,
// palette and what is computed while painting follow by themselves. GUI thread.
#pragma once

#include <QEvent>

namespace tilewright::ui {

/// Sent to each main window while everything in it still has its old size: docks are squeezed by larger text, and do
/// not grow back of themselves.
QEvent::Type aboutToRescale();

/// Of all widgets there are, lengths, and fonts of their own.
void rescaleWidgets(double ratio);

} // namespace tilewright::ui
