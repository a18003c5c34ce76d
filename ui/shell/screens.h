// SPDX-License-Identifier: GPL-3.0-or-later
// The screens of the window, in the order of the bar at its left. A new one is a folder under ui/ with a Screen
// (ui/session/screen.h), and a line here.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/session/screen.h"

#include <QFrame>
#include <QKeySequence>

namespace tilewright::ui {

class MainWindow;

struct ScreenEntry {
    QString id; ///< "devices": its action is "mode.devices"
    QString title; ///< with its mnemonic
    QString icon;
    QKeySequence keys;
    QString tip;
    std::function<Screen*(MainWindow& window)> make; ///< owned by the window
    void (*addActions)(ActionRegistry& actions) = nullptr; ///< those that only this screen has, besides "mode.NAME"
};

const std::vector<ScreenEntry>& screens();
QString actionOf(const ScreenEntry& entry);

// The column of modes at the left edge, icon over name. GUI thread.

class ModeBar : public QFrame
{
    Q_OBJECT

public:
    /// One button for each of screens(); Settings stands at the foot.
    explicit ModeBar(const ActionRegistry& actions, QWidget* parent = nullptr);
    /// How many things wait there, in a badge; 0 for none.
    void setCount(const QString& id, int count);
};

} // namespace tilewright::ui
