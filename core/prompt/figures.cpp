// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/figures.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tilewright {
namespace {

std::string factor(double value) { return fixedText(value, value < 10 ? 3 : value < 100 ? 2 : 1); }

std::string changeText(double ratio)
{
    const double value = 100 * (ratio - 1);
    std::string text = fixedText(std::abs(value), 1);
    return (text == "0.0" ? "±" : value < 0 ? "−" : "+") + text + " %";
}

std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

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
