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

std::optional<std::int64_t> millisecondsOf(std::string_view utc)
{
    constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
    if (utc.size() != form.size())
        return std::nullopt;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == '0' ? utc[i] < '0' || utc[i] > '9' : utc[i] != form[i])
            return std::nullopt;
    const auto number = [&utc](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = at; i < at + digits; ++i)
            value = value * 10 + (utc[i] - '0');
        return value;
    };
    const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
        std::chrono::month(static_cast<unsigned>(number(5, 2))), std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    if (!day.ok())
        return std::nullopt;
    const auto sinceMidnight = std::chrono::hours(number(11, 2)) + std::chrono::minutes(number(14, 2))
        + std::chrono::seconds(number(17, 2)) + std::chrono::milliseconds(number(20, 3));
    return std::chrono::milliseconds(std::chrono::sys_days(day).time_since_epoch() + sinceMidnight).count();
}

} // namespace tilewright
