// SPDX-License-Identifier: GPL-3.0-or-later
// How long something waits, as statuses say it. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace tilewright {

/// "12 s", rounded up; what is over counts as 0.
inline std::string wholeSeconds(std::chrono::nanoseconds time)
{
    return std::to_string(std::max<std::int64_t>(std::chrono::ceil<std::chrono::seconds>(time).count(), 0)) + " s";
}

} // namespace tilewright
