// SPDX-License-Identifier: Apache-2.0
#include "core/base/format.h"

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>

namespace tilewright {
namespace {

using namespace std::chrono;

template <typename... Form> std::string written(double value, Form... form)
{
    char text[400]; // the largest double has 309 digits before its point
    const auto [end, problem] = std::to_chars(text, text + sizeof text, value, form...);
    return problem == std::errc() ? std::string(text, end) : std::string("?");
}

std::string withUnit(double value, int digits, const char* unit) { return generalText(value, digits) + " " + unit; }

/// With so many significant digits, never an exponent.
std::string significant(double value, int digits)
{
    if (value == 0)
        return "0";
    const auto magnitude = [](double x) { return static_cast<int>(std::floor(std::log10(std::abs(x)) + 1e-9)); };
    // Rounding may carry into one more digit: 0.99996 becomes 1.000.
    const double step = std::pow(10.0, magnitude(value) - digits + 1);
    const double rounded = std::round(value / step) * step;
    return fixedText(value, digits - 1 - magnitude(rounded));
}

std::string withoutTrailingZeros(std::string text)
{
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

} // namespace

std::string fixedText(double value, int digits)
{
    return written(value, std::chars_format::fixed, std::clamp(digits, 0, 60));
}

std::string generalText(double value, int digits)
{
    return written(value, std::chars_format::general, std::clamp(digits, 0, 60));
}

std::optional<LeadingDecimal> leadingDecimal(std::string_view text)
{
    const std::size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
    const bool plus = text.substr(blanks).starts_with('+');
    const char* const begin = text.data() + blanks + (plus ? 1 : 0);
    const char* const stop = text.data() + text.size();
    double value = 0;
    const auto [end, problem] = std::from_chars(begin, stop, value);
    if (problem != std::errc() || !std::isfinite(value) || (plus && begin != stop && *begin == '-'))
        return std::nullopt;
    return LeadingDecimal{value, static_cast<std::size_t>(end - text.data())};
}

std::optional<double> decimalOf(std::string_view text)
{
    const auto found = leadingDecimal(text);
    const bool isWhole = found && found->length == text.size() && !text.starts_with(' ') && !text.starts_with('\t');
    return isWhole ? std::optional(found->value) : std::nullopt;
}

std::string timeText(nanoseconds time)
{
    const auto ns = static_cast<double>(time.count());
    if (ns <= 0)
        return "0 s";
    // What would round to three digits before the point takes the next unit.
    if (ns < 99.5e3)
        return withUnit(ns / 1e3, 2, "µs");
    if (ns < 99.5e6)
        return withUnit(ns / 1e6, 2, "ms");
    if (ns < 0.995e9)
        return withUnit(ns / 1e9, 2, "s");
    if (ns < 59.95e9)
        return withUnit(ns / 1e9, 3, "s");
    const long long whole = std::llround(ns / 1e9);
    const auto digits = [](long long value) { return std::to_string(value); };
    if (whole < 3600)
        return digits(whole / 60) + " min " + (whole % 60 < 10 ? "0" : "") + digits(whole % 60) + " s";
    return digits(whole / 3600) + " h " + digits(whole / 60 % 60) + " min";
}

std::string elapsedText(nanoseconds time) { return timeText(time < 1s ? time : floor<seconds>(time)); }

std::string remainingText(nanoseconds time) { return timeText(time < 1s ? time : ceil<seconds>(time)); }

std::string durationText(double ns, int digits)
{
    if (!(ns > 0))
        return "–";
    struct Unit {
        double ns;
        const char* name;
    };
    for (const Unit& unit : {Unit{1, "ns"}, Unit{1e3, "µs"}, Unit{1e6, "ms"}})
        if (ns < (1000 - std::pow(10.0, 3 - digits) / 2) * unit.ns) // what would round to 1000 takes the next unit
            return significant(ns / unit.ns, digits) + " " + unit.name;
    return significant(ns / 1e9, digits) + " s";
}

std::string bytesText(double bytes)
{
    const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; unit < 4 && bytes >= 1024; ++unit)
        bytes /= 1024;
    return numberText(bytes) + " " + units[unit];
}

std::string numberText(double value)
{
    return std::abs(value) >= 1000 ? fixedText(value, 0) : withoutTrailingZeros(significant(value, 3));
}

std::string ratioText(double ratio) { return fixedText(ratio, ratio >= 1000 ? 0 : ratio >= 100 ? 1 : 2) + "×"; }

std::string changeText(double ratio)
{
    const double change = (ratio - 1) * 100;
    if (std::abs(change) >= 1000)
        return ratioText(ratio);
    return (change < 0 ? "−" : "+") + fixedText(std::abs(change), std::abs(change) >= 100 ? 0 : 1) + " %";
}

std::string percentText(double fraction) { return fixedText(fraction * 100, 1) + " %"; }

std::string rateText(double rate) { return fixedText(rate, rate >= 100 ? 0 : rate >= 10 ? 1 : 2); }

std::string groupedText(std::int64_t number)
{
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;)
        digits.insert(at -= 3, "\u202f");
    return digits;
}

std::string shareText(double share)
{
    const double percent = 100 * share;
    return percent < 0.1 ? "less than 0.1 %" : numberText(std::round(10 * percent) / 10) + " %";
}

void leaveUsersLocale()
{
    for (const int category : {LC_NUMERIC, LC_TIME, LC_MONETARY, LC_COLLATE, LC_MESSAGES})
        std::setlocale(category, "C");
}

} // namespace tilewright
