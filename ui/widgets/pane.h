// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens are put together from. GUI thread.
#pragma once

#include <QString>

class QFrame;
class QLabel;
class QScrollArea;
class QWidget;

namespace tilewright::ui {

class DockTitle;

/// A title with its content below, which takes the room that is left.
QFrame* pane(DockTitle* title, QWidget* content, QWidget* parent);
/// A page that needs more room than a small window has is scrolled; it does not make the window larger.
QScrollArea* scrolled(QWidget* page, QWidget* parent);
/// The quiet sentence of a screen that has nothing to show.
QLabel* emptyNote(const QString& objectName, QWidget* parent);

} // namespace tilewright::ui
