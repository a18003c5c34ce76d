// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <cstdio>
#include <ctime>

namespace tilewright {

std::chrono::nanoseconds SystemClock::monotonic() const { return std::chrono::steady_clock::now().time_since_epoch(); }

std::string SystemClock::utc() const
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    std::tm parts{};
    gmtime_r(&now.tv_sec, &parts);
    char text[80];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ", parts.tm_year + 1900, parts.tm_mon + 1,
        parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, now.tv_nsec / 1'000'000);
    return text;
}

} // namespace tilewright
