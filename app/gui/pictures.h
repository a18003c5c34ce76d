// SPDX-License-Identifier: GPL-3.0-or-later
// The screens that documentation and tests look at: a name each, and how to bring the window there. GUI thread.
#pragma once

#include <QList>
#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace tilewright::ui {
class MainWindow;
}

namespace tilewright::gui {

struct Picture {
    enum class Needs { Nothing, Session, NoSession }; ///< of what is open; those without a session come first

    QString name; ///< of the picture file
    Needs needs = Needs::Nothing;
    std::function<void(ui::MainWindow&)> show; ///< after what the one before opened is closed
    bool opens = false; ///< something over the window, which stands in windowsOver() then
};

const std::vector<Picture>& pictures();
/// Popups, dialogs and menus that are open, the oldest first.
QList<QWidget*> windowsOver(const ui::MainWindow& window);

} // namespace tilewright::gui
