// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/pace.h"

namespace tilewright {

bool Pace::fits(const PaceLoad& present, std::int64_t tokens) const
{
    return (m_limits.requests <= 0 || present.requests < m_limits.requests)
        && (m_limits.tokens <= 0 || present.tokens == 0 || present.tokens + tokens <= m_limits.tokens);
}

std::chrono::nanoseconds Pace::waitFor(std::chrono::nanoseconds now, std::int64_t tokens, PaceLoad ahead) const
{
    PaceLoad present = ahead;
    for (const Counted& each : m_loads)
        if (each.at + window > now) {
            present.requests += each.load.requests;
            present.tokens += each.load.tokens;
        }
    if (fits(present, tokens))
        return std::chrono::nanoseconds(0);
    for (const Counted& each : m_loads) {
        if (each.at + window <= now)
            continue;
        present.requests -= each.load.requests;
        present.tokens -= each.load.tokens;
        if (fits(present, tokens))
            return each.at + window - now;
    }
    return window; // those ahead leave no room: they go first
}

void Pace::forgetBefore(std::chrono::nanoseconds now)
{
    while (!m_loads.empty() && m_loads.front().at + window <= now)
        m_loads.pop_front();
}

} // namespace tilewright
