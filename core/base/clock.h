// SPDX-License-Identifier: GPL-3.0-or-later
// Time as an interface, so that logic can be tested with a clock that a test turns by hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

class Clock
{
public:
    virtual ~Clock() = default;
    virtual std::chrono::nanoseconds monotonic() const = 0;
    /// ISO 8601 with milliseconds: "2026-11-21T17:46:34.123Z".
    virtual std::string utc() const = 0;
};

/// Milliseconds since 1970 of such a text; none for anything else.
std::optional<std::int64_t> millisecondsOf(std::string_view utc);

class SystemClock final : public Clock
{
public:
    std::chrono::nanoseconds monotonic() const override;
    std::string utc() const override;
};

} // namespace tilewright
