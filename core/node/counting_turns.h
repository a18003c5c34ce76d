// SPDX-License-Identifier: Apache-2.0
// When the profiler may run beside measurements for which no user requested it: as long as it takes at most a tenth of
// the time since the device was opened, and not at all once it is clear that it cannot read counters here. Pure.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <optional>
#include <string>

namespace tilewright {

class CountingTurns
{
public:
    static constexpr double share = 0.1;
    static constexpr int mostFailures = 2; ///< in a row, of the tool itself

    /// open: time since the device was opened.
    bool isDue(std::chrono::nanoseconds open) const
    {
        return !m_isOver && (m_spent.count() == 0 || std::chrono::duration<double>(m_spent) <= share * open);
    }
    void spent(std::chrono::nanoseconds time) { m_spent += time; }
    void succeeded() { m_failures = 0; }
    /// The tool could not count: "tool/…". Returns once why there will be no counters; none where they are tried
    /// again.
    std::optional<std::string> failed(const Error& error)
    {
        const bool isLasting = error.code == "tool/missing" || error.code == "tool/permission";
        if (m_isOver || (!isLasting && ++m_failures < mostFailures))
            return std::nullopt;
        m_isOver = true;
        return error.line();
    }

private:
    std::chrono::nanoseconds m_spent{0};
    int m_failures = 0;
    bool m_isOver = false;
};

} // namespace tilewright
