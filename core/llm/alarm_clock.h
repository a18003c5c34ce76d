// SPDX-License-Identifier: GPL-3.0-or-later
// A clock that also wakes: every wait of the model clients goes through it, so that tests turn the time by hand.
#pragma once

#include "core/base/clock.h"

#include <QObject>
#include <functional>
#include <map>

namespace tilewright {

enum class WakeReason { Connect, FirstByte, Inactivity, Total, Drain, Retry, Pace };

using AlarmId = std::int64_t; ///< 0 = none

class AlarmClock : public Clock
{
public:
    /// Calls once from the event loop after `delay`, unless cancelled. Thread: the caller's.
    virtual AlarmId after(std::chrono::milliseconds delay, WakeReason reason, std::function<void()> call) = 0;
    virtual void cancel(AlarmId alarm) = 0;
};

/// The real one: QTimer's monotonic time, which no change of the system's date moves.
class SystemAlarmClock final : public QObject, public AlarmClock
{
public:
    explicit SystemAlarmClock(QObject* parent = nullptr);
    std::chrono::nanoseconds monotonic() const override { return m_clock.monotonic(); }
    std::string utc() const override { return m_clock.utc(); }
    AlarmId after(std::chrono::milliseconds delay, WakeReason reason, std::function<void()> call) override;
    void cancel(AlarmId alarm) override;

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    SystemClock m_clock;
    std::map<int, std::function<void()>> m_calls; ///< by Qt timer
};

/// An alarm that dies with its owner and is moved, not copied.
class Alarm
{
public:
    explicit Alarm(AlarmClock& clock)
        : m_clock(&clock)
    {
    }
    ~Alarm() { stop(); }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    /// Replaces what was set before.
    void set(std::chrono::milliseconds delay, WakeReason reason, std::function<void()> call)
    {
        stop();
        m_id = m_clock->after(delay, reason, [this, call = std::move(call)] {
            m_id = 0;
            call();
        });
    }
    void stop()
    {
        if (m_id)
            m_clock->cancel(m_id);
        m_id = 0;
    }
    bool isSet() const { return m_id != 0; }

private:
    AlarmClock* m_clock;
    AlarmId m_id = 0;
};

} // namespace tilewright
