// SPDX-License-Identifier: GPL-3.0-or-later
// The screens that documentation and tests look at: a name each, and how to bring the window there. GUI thread.
#pragma once

#include <QString>
#include <functional>
#include <vector>

namespace tilewright::ui {

class MainWindow;

struct Screen {
    QString name; ///< of the picture file
    bool needsSession = false;
    std::function<void(MainWindow&)> show;
};

const std::vector<Screen>& screens();

} // namespace tilewright::ui
