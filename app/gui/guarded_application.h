// SPDX-License-Identifier: GPL-3.0-or-later
// The application object of the window: an exception in the handling of an event, on whatever thread, does not cross
// the event loop. The window says what failed and stays.
#pragma once

#include <QApplication>
#include <functional>

namespace tilewright::gui {

class GuardedApplication : public QApplication
{
    Q_OBJECT

public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;

Q_SIGNALS:
    /// One sentence. Any thread.
    void failed(const QString& what);
};

/// Calls `deliver`; where that throws, gives what failed to `report` and returns false.
bool guarded(const std::function<bool()>& deliver, const std::function<void(const QString&)>& report);

/// Shows each different failure once, in a dialog that blocks nothing, and writes it to standard error.
void showFailures(GuardedApplication& application);

} // namespace tilewright::gui
