// SPDX-License-Identifier: Apache-2.0
// Numbers as text and text as numbers: the one place that does either. Never by the locale: what is written on a
// German or an Arabic desktop is byte for byte what another one writes. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

/// As printf's %.*f, %.*g and %.*e in the C locale: "1.50", "1.5e+06".
std::string fixedText(double value, int digits);
std::string generalText(double value, int digits = 6);

/// The whole text as a number: "1.5", "-2e3"; none for anything else, blanks and infinities included.
std::optional<double> decimalOf(std::string_view text);
/// The number that the text begins with, blanks before it left out, and how many bytes that are; none if it begins with
/// none.
struct LeadingDecimal {
    double value = 0;
    std::size_t length = 0;
};
std::optional<LeadingDecimal> leadingDecimal(std::string_view text);

/// "35 ms", "0.45 s", "12.5 s", "4 min 05 s", "3 h 12 min": never "0 s" for what took time. Below a second two digits,
/// below a minute three. What is not above 0 is "0 s".
std::string timeText(std::chrono::nanoseconds time);
/// As timeText(), from one second on in whole seconds, the begun one left out: a count that runs up.
std::string elapsedText(std::chrono::nanoseconds time);
/// As timeText(), from one second on in whole seconds, the begun one counted: a count that runs down.
std::string remainingText(std::chrono::nanoseconds time);

/// So many significant digits in ns, µs, ms or s; "–" for nothing measured (zero or less).
std::string durationText(double ns, int digits = 4);
/// "48 KiB", "1 MiB", "23.5 GiB"; plain bytes below 1 KiB.
std::string bytesText(double bytes);
/// Three significant digits, without exponent and without trailing zeros after the point.
std::string numberText(double value);
/// "2.31×", "137.2×", "1370×": a ratio; the more digits before the point, the fewer behind it.
std::string ratioText(double ratio);
/// "+5.5 %", "−1.2 %": what a ratio around 1 changes; from ten times as much on as ratioText().
std::string changeText(double ratio);
/// "0.6 %": one digit behind the point.
std::string percentText(double fraction);
/// "53.4": three significant digits and no exponent, of GFLOP/s or a bandwidth.
std::string rateText(double rate);
/// "12 345", with narrow no-break spaces.
std::string groupedText(std::int64_t number);
/// A share as a percentage with one digit behind the point, "less than 0.1 %" where there would be nothing.
std::string shareText(double share);

/// Texts of the C library and of Qt as if the user had no language: for programs that write files and answers. Letters
/// stay UTF-8. Once, after the application object, which sets the user's.
void leaveUsersLocale();

} // namespace tilewright
