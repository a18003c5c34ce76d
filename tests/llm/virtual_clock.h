// SPDX-License-Identifier: GPL-3.0-or-later
// A clock that stands still until a test turns it. Alarms ring in the order of their time, from advance() only.
#pragma once

#include "core/llm/alarm_clock.h"

#include <QDateTime>
#include <algorithm>
#include <vector>

namespace tilewright::testing {

class VirtualClock final : public AlarmClock
{
public:
    std::chrono::nanoseconds monotonic() const override { return m_now; }
    std::string utc() const override
    {
        const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0), Qt::UTC);
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(m_now + m_dateJump).count();
        return noon.addMSecs(ms).toString(Qt::ISODateWithMs).toStdString();
    }
    AlarmId after(std::chrono::milliseconds delay, WakeReason reason, std::function<void()> call) override
    {
        m_alarms.push_back({++m_lastId, m_now + delay, delay, reason, std::move(call)});
        return m_lastId;
    }
    void cancel(AlarmId alarm) override
    {
        std::erase_if(m_alarms, [alarm](const Pending& p) { return p.id == alarm; });
    }

    /// Time passes; what falls due rings.
    void advance(std::chrono::milliseconds by)
    {
        const auto until = m_now + by;
        for (;;) {
            const auto next = std::ranges::min_element(m_alarms, {}, &Pending::due);
            if (next == m_alarms.end() || next->due > until)
                break;
            const Pending pending = std::move(*next);
            m_alarms.erase(next);
            m_now = std::max(m_now, pending.due);
            pending.call();
        }
        m_now = until;
    }
    /// The delay of the earliest alarm of a kind; -1 if none is set.
    std::chrono::milliseconds delayOf(WakeReason reason) const
    {
        const Pending* first = nullptr;
        for (const Pending& pending : m_alarms)
            if (pending.reason == reason && (!first || pending.due < first->due))
                first = &pending;
        return first ? first->delay : std::chrono::milliseconds(-1);
    }
    bool isSet(WakeReason reason) const { return delayOf(reason).count() >= 0; }
    /// Passes just the time until the earliest alarm of a kind.
    void advanceTo(WakeReason reason)
    {
        for (const Pending& pending : std::vector<Pending>(m_alarms))
            if (pending.reason == reason && pending.delay == delayOf(reason))
                return advance(std::chrono::ceil<std::chrono::milliseconds>(pending.due - m_now));
    }
    /// Somebody sets the system's date; monotonic time does not care.
    void setDateForward(std::chrono::milliseconds by) { m_dateJump += by; }
    std::size_t alarms() const { return m_alarms.size(); }

private:
    struct Pending {
        AlarmId id;
        std::chrono::nanoseconds due;
        std::chrono::milliseconds delay;
        WakeReason reason;
        std::function<void()> call;
    };
    std::vector<Pending> m_alarms;
    std::chrono::nanoseconds m_now{0}, m_dateJump{0};
    AlarmId m_lastId = 0;
};

} // namespace tilewright::testing
