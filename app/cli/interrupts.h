// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT, SIGTERM and, unless it is ignored, SIGHUP as a Qt signal, by a pipe to itself. One object a process.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace tilewright::cli {

class Interrupts : public QObject
{
    Q_OBJECT

public:
    Interrupts();
    ~Interrupts() override;

Q_SIGNALS:
    /// Which of the two.
    void interrupted(int signal);

private:
    int m_pipe[2]{-1, -1};
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace tilewright::cli
