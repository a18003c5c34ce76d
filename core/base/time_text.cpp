// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time_text.h"

#include <cmath>
#include <cstdio>

namespace tilewright {
namespace {

using namespace std::chrono;

std::string withUnit(const char* format, double value, const char* unit)
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::string(text) + " " + unit;
}

} // namespace

std::string timeText(nanoseconds time)
{
    const auto ns = static_cast<double>(time.count());
    if (ns <= 0)
        return "0 s";
    // What would round to three digits before the point takes the next unit.
    if (ns < 99.5e3)
        return withUnit("%.2g", ns / 1e3, "µs");
    if (ns < 99.5e6)
        return withUnit("%.2g", ns / 1e6, "ms");
    if (ns < 0.995e9)
        return withUnit("%.2g", ns / 1e9, "s");
    if (ns < 59.95e9)
        return withUnit("%.3g", ns / 1e9, "s");
    const long long whole = std::llround(ns / 1e9);
    char text[48];
    if (whole < 3600)
        std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%lld h %lld min", whole / 3600, whole / 60 % 60);
    return text;
}

std::string elapsedText(nanoseconds time) { return timeText(time < 1s ? time : floor<seconds>(time)); }

std::string remainingText(nanoseconds time) { return timeText(time < 1s ? time : ceil<seconds>(time)); }

} // namespace tilewright
