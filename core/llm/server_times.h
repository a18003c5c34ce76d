// SPDX-License-Identifier: GPL-3.0-or-later
// Waits and dates as servers write them in headers and bodies. Pure.
#pragma once

#include <QDateTime>
#include <chrono>
#include <optional>
#include <string_view>

namespace tilewright {

/// "60", "1.5" (seconds), "60s", "60 s", "2 minutes", "6m0s", "1h2m", "120ms", letters of either case. None for what is
/// no duration, is negative or longer than 30 years.
std::optional<std::chrono::milliseconds> durationOf(std::string_view text);

/// A date of a header in one of the three forms of RFC 9110, with "UTC" or "+0000" for GMT; an ISO 8601 time. Invalid
/// for anything else.
QDateTime serverDate(std::string_view text);

} // namespace tilewright
