// SPDX-License-Identifier: GPL-3.0-or-later
// Work of the window that follows each snapshot and grows with the run: done at once while it is quick, and else so
// seldom that four fifths of the time stay free. What was asked for last is always done in the end. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <functional>

namespace tilewright::ui {

/// Time that this thread had on its processor: what other programs do does not count.
qint64 processorNs();
/// How long work that took so long, and ended then, has to wait until it may be done again.
qint64 restNs(qint64 tookNs, const QElapsedTimer& ended);

class Paced
{
public:
    explicit Paced(std::function<void()> work);
    /// Now, or when it is time.
    void ask();
    /// In any case now: a person waits for it.
    void now();

private:
    std::function<void()> m_work;
    QElapsedTimer m_ended;
    QTimer m_timer;
    qint64 m_tookNs = 0;
};

} // namespace tilewright::ui
