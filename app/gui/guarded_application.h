// SPDX-License-Identifier: GPL-3.0-or-later
// The application object of the window: an exception in the handling of an event, on whatever thread, does not cross
// the event loop. The window says what failed and stays.
#pragma once

#include <QApplication>
#include <QSize>
#include <QString>
#include <QTemporaryFile>
#include <functional>
#include <memory>

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

// Whether a window can be shown at all, asked before Qt does, which would abort; and a screen for pictures, which need
// none.

/// Empty if there is a display, else one line that says what to do.
QString displayProblem();

/// From here on a window stands on a screen of this size that nobody sees, so that what opens over it stands where it
/// does for a user. Before there is an application, which reads the file that it returns.
std::unique_ptr<QTemporaryFile> useUnseenScreen(const QSize& size);

} // namespace tilewright::gui
