// SPDX-License-Identifier: GPL-3.0-or-later
// The time that a run has been running. It stands while the run only waits for a user, as it stands in a pause: the
// wall budget and what an evaluation takes are about the machine's time. Owner: Session, on the engine's thread.
#pragma once

#include <QElapsedTimer>
#include <cstdint>

namespace tilewright {

class RunClock
{
public:
    /// Runs on from what was counted before.
    void start(std::int64_t countedNs)
    {
        m_countedNs = countedNs;
        m_waiting.invalidate();
        m_running.start();
    }

    /// The run ends or pauses.
    void stop()
    {
        m_countedNs = ns();
        m_running.invalidate();
        m_waiting.invalidate();
    }

    /// It stands from here on, until goOn().
    void hold()
    {
        if (!m_running.isValid() || isHeld())
            return;
        m_countedNs = ns();
        m_waiting.start();
    }

    void goOn()
    {
        if (isHeld())
            start(m_countedNs);
    }

    bool isStarted() const { return m_running.isValid(); }
    bool isHeld() const { return m_waiting.isValid(); }
    /// What is counted of the run, with all before start().
    std::int64_t ns() const
    {
        return m_running.isValid() && !isHeld() ? m_countedNs + m_running.nsecsElapsed() : m_countedNs;
    }
    /// How long it has been standing; 0 where it does not.
    std::int64_t heldNs() const { return isHeld() ? m_waiting.nsecsElapsed() : 0; }

private:
    QElapsedTimer m_running; ///< valid between start() and stop()
    QElapsedTimer m_waiting; ///< valid while it stands
    std::int64_t m_countedNs = 0;
};

} // namespace tilewright
