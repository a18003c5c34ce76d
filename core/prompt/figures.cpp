// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/figures.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace tilewright {
namespace {

std::string fixed(double value, int digits)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", std::max(digits, 0), value);
    return text;
}

/// With so many significant digits, never an exponent.
std::string significant(double value, int digits)
{
    if (value == 0)
        return "0";
    const auto magnitude = [](double x) { return static_cast<int>(std::floor(std::log10(std::abs(x)) + 1e-9)); };
    // Rounding may carry into one more digit: 0.99996 becomes 1.000.
    const double step = std::pow(10.0, magnitude(value) - digits + 1);
    const double rounded = std::round(value / step) * step;
    return fixed(value, digits - 1 - magnitude(rounded));
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

std::string factor(double value) { return fixed(value, value < 10 ? 3 : value < 100 ? 2 : 1); }

std::string changeText(double ratio)
{
    const double value = 100 * (ratio - 1);
    std::string text = fixed(std::abs(value), 1);
    return (text == "0.0" ? "±" : value < 0 ? "−" : "+") + text + " %";
}

std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

std::string durationText(double ns)
{
    if (!(ns > 0))
        return "–";
    struct Unit {
        double ns;
        const char* name;
    };
    for (const Unit& unit : {Unit{1, "ns"}, Unit{1e3, "µs"}, Unit{1e6, "ms"}})
        if (ns < 999.95 * unit.ns) // what would round to 1000 takes the next unit
            return significant(ns / unit.ns, 4) + " " + unit.name;
    return significant(ns / 1e9, 4) + " s";
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
    return std::abs(value) >= 1000 ? fixed(value, 0) : withoutTrailingZeros(significant(value, 3));
}

std::string shareText(double share)
{
    const double percent = 100 * share;
    return percent < 0.1 ? "less than 0.1 %" : numberText(std::round(10 * percent) / 10) + " %";
}

std::string ratioText(const Interval& ratio)
{
    return factor(ratio.value) + "× [" + factor(ratio.lo) + ", " + factor(ratio.hi) + "]";
}

std::string gainText(const Interval& ratio)
{
    if (ratio.value < 0.5 || ratio.value > 2)
        return ratioText(ratio);
    return changeText(ratio.value) + " [" + changeText(ratio.lo) + ", " + changeText(ratio.hi) + "]";
}

std::string gainText(const ParentChange& change) { return (change.paired ? "" : "≈ ") + gainText(change.ratio); }

std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], widthOf(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - widthOf(row[i]), ' ');
            line += (i == 0 ? row[i] + padding : "  " + padding + row[i]);
        }
        text.append(trimmedRight(line)) += '\n';
    }
    return text;
}

std::string fenced(const std::string& text, const std::string& language)
{
    std::string fence = "```";
    while (text.find(fence) != std::string::npos)
        fence += '`';
    return fence + language + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string firstSentence(const std::string& text, std::size_t longest)
{
    std::string line(trimmed(text));
    std::ranges::replace(line, '\n', ' ');
    const std::size_t end = line.find(". ");
    if (end != std::string::npos)
        line.resize(end + 1);
    if (line.size() <= longest)
        return line;
    line.resize(longest);
    // Not in the middle of a word, a figure or a row of figures.
    do
        line.resize(line.find_last_of(' ') == std::string::npos ? 0 : line.find_last_of(' '));
    while (!line.empty() && std::isalpha(static_cast<unsigned char>(line.back())) == 0);
    return line + " …";
}

} // namespace tilewright
