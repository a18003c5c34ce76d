// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/alarm_clock.h"

#include <QTimerEvent>
#include <algorithm>

namespace tilewright {

SystemAlarmClock::SystemAlarmClock(QObject* parent)
    : QObject(parent)
{
}

AlarmId SystemAlarmClock::after(std::chrono::milliseconds delay, WakeReason, std::function<void()> call)
{
    const int timer = startTimer(std::max(delay, std::chrono::milliseconds(0)));
    m_calls[timer] = std::move(call);
    return timer;
}

void SystemAlarmClock::cancel(AlarmId alarm)
{
    const int timer = static_cast<int>(alarm);
    if (m_calls.erase(timer))
        killTimer(timer);
}

void SystemAlarmClock::timerEvent(QTimerEvent* event)
{
    const auto found = m_calls.find(event->timerId());
    killTimer(event->timerId());
    if (found == m_calls.end())
        return;
    const std::function<void()> call = std::move(found->second);
    m_calls.erase(found);
    call();
}

} // namespace tilewright
